// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The program of a node in the numbers of ranks: partners are ranks, and block b of a buffer is that of rank b. A plan and
// compile() know nodes only, so this is the one place where blocks change their numbers.
//
//     ranks 0 1 2 3 are nodes 2 0 3 1      a message with blocks of nodes | 2 3 |         one fragment
//                                          the same, blocks of ranks      | 0 | 2 |       two fragments
//
// A message keeps its units and their order, so both ends agree as before. Fragments are cut where the blocks of ranks are
// not adjacent; what lies in slots stays there. Slices of one vector belong to nobody, so they keep their numbers.
//
// Cost: O(fragments + units of fragments that are cut).
#pragma once

#include "isotrope/network/rank_map.hpp"

#include "isotrope/schedule/task.hpp"

#include "isotrope/rank/program.hpp"

namespace isotrope::rank {

/// @param program of a node, for `collective`, whose blocks are not listed. @pre no scan or exscan, unless the map is the
/// identity: these follow the order of nodes
RankProgram mapped(RankProgram program, schedule::Collective collective, const network::RankMap& ranks);

}  // namespace isotrope::rank

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The program of one node of any exchange of sums: a scan, an exscan, or an allreduce that is neither an allgather nor
// recursive doubling. The node adds up inside itself what it sends and what it ends with (exchange_moves.hpp).
//
// Cost: O(hops + values of all sums); a slot per value.
#pragma once

#include "isotrope/rank/program.hpp"

namespace isotrope::rank {

/// As compile (program.hpp), for a plan whose first stage is an exchange.
/// @throws Error also for a scan or exscan that is to be moved, which would change the order of its nodes
RankProgram compile_summed_exchange(const schedule::Plan& plan, Node node, Node moved_by);

}  // namespace isotrope::rank

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The cut bound of scan and exscan: how many different sums must leave a set of nodes.
//
// Let A be a set of nodes. A node c outside A needs the sum of those nodes of A that come before c. Going through all nodes in
// order, this sum changes for the nodes outside wherever one of them follows nodes of A:
//
//     order of nodes   0 1 2 3 4 5 6 7      the nodes outside need {0 1}, {0 1 4} and {0 1 4 6}: r = 3
//     in A             x x . . x . x .
//
// The r sets are nested, so their sums are linearly independent. Nodes outside learn of A by the messages that leave A alone,
// so every part takes r of them at least: T >= ceil(r P / m), m the messages that may leave A in a round. This
// holds whatever a message adds up, and also for sums of loads (bandwidth.hpp).
//
// The sets tried: blocks of 1, 2, 4, ... consecutive nodes in turn; slabs of each axis of the group, from coordinate 0 on and of
// half its extent. On meshes and hypercubes one of these has r = m over all ports.
//
// Cost: O(links) a set.
#pragma once

#include <optional>

#include "isotrope/bound/kinds.hpp"

namespace isotrope::bound {

/// The bound of kind "cut" by the best set; nothing on networks of more than 2^16 directed links. @pre the nodes that are
/// left are connected, and messages are limited
std::optional<Bound> prefix_cut_bound(const schedule::Problem& problem);

}  // namespace isotrope::bound

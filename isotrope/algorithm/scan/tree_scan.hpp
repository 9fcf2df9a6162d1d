// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Scan and exscan on every network: each node gathers the nodes before it along the translate of one tree, and the
// trees of all nodes share their messages (prefix_messages.hpp).
//
// Rounds of one part over all ports: the diameter at best, then the messages of the busiest link. There are as many of
// these as unlike forms of subtrees: hexagonal meshes take their diameter, twisted tori up to twice as much.
// In aggregated rounds the height of the tree. The schedule differs from node to node, and serves scan and exscan.
//
// Cost: O(N^2), of the tree a limit of work (word_tree_choice.hpp).
#pragma once

#include "isotrope/schedule/problem.hpp"
#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// One part, whatever `problem` says. @pre ports are not half duplex
schedule::Schedule tree_scan(const schedule::Problem& problem);

}  // namespace isotrope::algorithm

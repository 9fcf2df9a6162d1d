// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Scan and exscan of long vectors on every network: sums go up and down trees whose subtrees are runs of consecutive
// nodes (interval_tree.hpp), part after part.
//
//     up      a node sends its parent the sum of its subtree
//     down    a node sends each child the sum of all nodes before the child's subtree: what came from above, and the sums of
//             the children before, and its own contribution if it comes before
//
// A subtree of the last node sends nothing up, one of the first node gets nothing down. So a node sends each vector about twice,
// however many nodes there are, where a gathering scan sends it N times. The sums are of consecutive nodes.
//
// Method: parts follow each other as closely as links and ports allow (periodic_rounds.hpp). Several parts that go along
// different trees share the links better: trees are added one after the other, each of several shapes and roots the one that
// loads links the least. The schedules that are returned are those that are best for some number of parts, as far as
// tried.
//
// Rounds: R + (P - 1) I. Meshes, cylinders, lines and hypercubes have I = 1 over all ports and R up to the diameter plus 1, so they
// come within about a diameter of the bound (bound/prefix_cut.cpp); complete networks reach 2 P / N.
// Cost: O(trees tried * height * links).
// Source: G. E. Blelloch, Prefix sums and their applications, 1990 (the sweep up and down).
#pragma once

#include <vector>

#include "isotrope/schedule/problem.hpp"
#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// Schedules of one or several parts each, to be repeated (repeated_parts.hpp); at least one. Whatever `problem` says of parts.
/// @pre the nodes that are left are connected; rounds are strict
std::vector<schedule::Schedule> interval_scans(const schedule::Problem& problem);

}  // namespace isotrope::algorithm

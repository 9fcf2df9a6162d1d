// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Link-disjoint trees no higher than wished, by a random walk.
//
// Method: as long as a node is deeper in a tree than wished, one such is drawn, then a node on its way to the
// root, itself included; that node shares out its incoming links anew at the least price (link_exchange.hpp),
// where a price is the sum of what the nodes below are too deep, plus a random number. So what is
// not too deep costs nothing to move, and a step may make matters worse by as much as the random numbers
// allow: both are what a descent lacks that ends short of the least height. WalkSAT does the same with
// clauses and variables.
//
// Claim: none; whether it arrives is a matter of trial. On tori of equal extents it mostly does where a
// descent has come within two of the least height (disjoint_trees.hpp has what was reached). The generator is
// seeded alike every time: equal networks have equal trees.
// Cost: the steps that are given to it, of some ten nanoseconds.
// Source: B. Selman, H. Kautz and B. Cohen, Noise strategies for improving local search, AAAI 1994.
#pragma once

#include <cstdint>

#include "isotrope/algorithm/trees/link_table.hpp"

namespace isotrope::algorithm {

/// Moves links until no depth exceeds `height`, or `most_steps` of LinkTable::steps() have been made; then
/// the trees span, at whatever depths. @pre they span. @return whether no depth exceeds `height`
bool walk_to_height(LinkTable& links, std::uint32_t height, std::uint64_t most_steps);

}  // namespace isotrope::algorithm

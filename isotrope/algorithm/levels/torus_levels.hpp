// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans by levels (levels.hpp) on tori, and on networks whose open axes are split (network/split_axes.hpp). The stages of all axes
// are taken in turn, the nearest of every axis first:
//
//     torus:8x8     x 1   y 1   x -1   y -1   x 3   y 3        divisions = 3: the first three scatter
//
// A group of divisions is one step: its r is the product of theirs, and a node sends to all that it can reach by some
// of them. An axis whose first stages scatter goes on with its other stages; an axis without any has its program.
//
// Several steps of the programs, taken from all axes in turn, may be one, if the messages are copies and no sums:
//
//     torus:8x8, two steps      fold of x: x ^ 1, 2, 1; of y the same    3 steps of 3 messages, instead of 6 of one
//     torus:4x4x4, two steps    x 1 and y 1, z 1 and x -1, y -1 and z -1
//
// Up to D copies begin with axes that are as far from each other as possible, and D more are mirrored: all offsets are
// negated. If the divisions make fewer blocks from one axis on than from another, all copies begin with the first axis,
// and every other one is mirrored. If
// half of the copies are to be mirrored, the others begin with so many axes.
//
// A torus with axes of 4 nodes, or with two of 2, has plans by other axes too (network/regrouped_axes.hpp), laid on its nodes.
//
// Rivals of the same form:
//
//     Swing                         extents of powers of two, all stages divide, or none; 1 or 2 D copies
//     Trivance                      the same with powers of three
//     recursive halving, doubling   N = 2^k, division i with the node whose number differs in bit i
//
// Cost: O(N) per permutation.
// Sources: axis_program.hpp; R. Rabenseifner, Optimization of collective reduction operations, ICCS 2004.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/network/network.hpp"
#include "isotrope/network/split_axes.hpp"

#include "isotrope/algorithm/levels/level_plan.hpp"
#include "isotrope/algorithm/levels/level_shape.hpp"

namespace isotrope::algorithm {

/// The number of axes from which copies begin.
std::uint32_t turn_count(const network::SplitTorus& torus);

/// The number of stages of all axes.
std::uint32_t stage_count(const network::SplitTorus& torus);

/// The number of blocks that so many divisions make.
std::uint64_t division_product(const network::SplitTorus& torus, std::uint32_t divisions);
/// Whether they make as many from whichever axis they begin.
bool divides_alike(const network::SplitTorus& torus, std::uint32_t divisions);

/// The copies of a plan. @pre divisions <= stage_count, of the regrouped torus if the shape is; grouped, copies and joined >= 1.
std::vector<LevelPlan> torus_levels(const network::SplitTorus& torus, const LevelShape& shape);

/// Recursive halving and doubling. @pre the number of nodes is a power of two.
LevelPlan halving_and_doubling(const network::Network& network);

}  // namespace isotrope::algorithm

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans by levels (levels.hpp) on Cayley graphs of any abelian group; torus_levels.hpp has those on tori.
//
//     searched    some divisions of the group, and one program for the part that they leave (offset_search.hpp)
//     fold        no divisions. The group is a product of cyclic groups. One after the other has the fold or windows of
//                 a ring (axis_program.hpp), whose unit may be any generator of the cyclic group: the one whose messages
//                 have the fewest hops
//     one-sided   the same with one-sided windows, which send one message a step
//
//     hexmesh:7 = Z_127    windows with the unit 1: offsets 1, 2, 5, 14, 41; with another one these times a factor
//
// Copies are images of the first one: automorphisms of the network turn it, so that the copies load other links.
//
// Cost: O(N) a permutation, and O(m log m) for the unit of a cyclic group of m elements.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/algorithm/levels/level_plan.hpp"
#include "isotrope/algorithm/levels/level_shape.hpp"

namespace isotrope::algorithm {

/// The shapes that are worth a try. @param ports by which a node sends at once: searched programs send no more, others may
/// @pre 2 nodes or more
std::vector<LevelShape> group_shapes(const network::Network& network, std::uint32_t ports);

/// The copies of a plan. @pre the shape is one of group_shapes
std::vector<LevelPlan> group_levels(const network::Network& network, const LevelShape& shape);

}  // namespace isotrope::algorithm

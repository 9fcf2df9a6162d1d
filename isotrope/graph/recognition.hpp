// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which product of rings and lines a graph is, whatever the numbers of its nodes: a machine that a file lists link by link is
// placed upon as the torus or mesh that it is.
//
// Method: every way to write N as a product, each axis closed or open, whose number of links is right, is compared with the graph
// by a search for an isomorphism (near_placing.hpp). Cost: O(N^2), and for a candidate that has the right number of links and of
// nodes at each distance, another O(N^2) and at most `budget` comparisons.
#pragma once

#include <cstdint>
#include <optional>

#include "isotrope/graph/dilation.hpp"

namespace isotrope::graph {

/// The product, with the graph's node for each of its own nodes in place of ranks. Nothing if there is none, it is not found within
/// the budget, or links lie side by side.
std::optional<network::MappedNetwork> recognised_product(const network::SurvivingNetwork& graph,
                                                         const Distances& distances, std::uint64_t budget);

}  // namespace isotrope::graph

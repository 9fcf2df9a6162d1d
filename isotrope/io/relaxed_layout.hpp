// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Places in space for the nodes of any graph: links pull their nodes together, and all nodes push each other away.
//
// Method: the algorithm of Fruchterman and Reingold (1991) as Boost implements it, from a fixed random start, so
// that every computer gives the same places. Cost: O(steps * nodes^2).
#pragma once

#include <array>
#include <vector>

#include "isotrope/network/failures.hpp"

namespace isotrope::io {

/// More would take more than a second.
inline constexpr network::Node most_nodes_relaxed = 512;

/// A place per node; linked nodes are 1 apart on average.
std::vector<std::array<double, 3>> relaxed_places(network::Node nodes,
                                                  const std::vector<network::Edge>& edges);

}  // namespace isotrope::io

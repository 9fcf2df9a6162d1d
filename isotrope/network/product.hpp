// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The product of networks: a node is a node of each factor, and a link moves one of them.
//
//     ring:4xcomplete:3    node 3 a + b for node a of the ring and b of the complete network
//                          ports 0, 1: those of the ring; ports 2, 3: those of the complete network
//
// Convention: nodes are row-major, the last factor fastest; ports are those of the factors, one factor after the other. The
// product of Cayley graphs is one of the product of their groups.
//
// Distance: the sum over the factors. Cost: that of the factors' distances.
#pragma once

#include <string>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::network {

/// The product of `factors`, at least one, called `name`.
/// @throws Error if it has more nodes, ports or links than a network may have.
Network product(std::string name, const std::vector<Network>& factors);

}  // namespace isotrope::network

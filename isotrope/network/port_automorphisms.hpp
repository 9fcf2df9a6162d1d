// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Automorphisms of the group that map the generators of a network onto each other: symmetries of the network that keep
// node 0.
//
//     hexmesh:3    multiplications by 1, 7, 8 and their negatives: rotations by 60 degrees
//
// Method: an automorphism is known by the images of a few generators that generate the group. All images among the
// generators are tried.
//
// Cost: O(N r) for each of degree^r tries, r being the number of those generators; limited.
#pragma once

#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::network {

/// The images of all nodes, one list an automorphism; the identity is the first. Not all of them if there are many tries.
std::vector<std::vector<Node>> port_automorphisms(const Network& network);

}  // namespace isotrope::network

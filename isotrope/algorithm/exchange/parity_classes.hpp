// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Even and odd nodes, by the parity of a coordinate or of a sum of coordinates: the homomorphisms of the group to Z_2.
//
// A hop over a port leads from a class of nodes to the same or to the other class, always alike: the parity of the port.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// The classes of nodes of a replication, one or two.
struct ParityClasses {
  schedule::Replication replication;
  std::vector<std::uint32_t> parities;  ///< by port: whether it leads to the other class
  std::uint32_t count = 1;
  network::Node odd_origin = 0;  ///< a node of class 1, if there are two

  network::Node origin(std::uint32_t node_class) const { return node_class == 0 ? 0 : odd_origin; }
};

/// All nodes in one class.
ParityClasses all_alike(const network::Network& network);

/// The pairs of classes by every coordinate of even modulus, then by sums of several; at most 63, by six coordinates.
std::vector<ParityClasses> parity_classes(const network::Network& network);

}  // namespace isotrope::algorithm

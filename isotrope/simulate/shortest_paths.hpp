// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The ports that bring a packet nearer to its destination, by relative destination (destination - node).
//
//     bit j of ports(r)        distance(0, r - g_j) = distance(0, r) - 1
//
// On a hypercube that is r itself. By translation one table of N masks serves all nodes; since the group is
// commutative, a port stays in the mask until the packet has used it or gone a way that rules it out.
//
// Cost: N * degree distances, once. Memory: 12 bytes a node.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/base/huge_pages.hpp"

#include "isotrope/network/network.hpp"

namespace isotrope::simulate {

using network::Network;
using network::Node;
using network::Port;

/// The most ports that a mask holds.
inline constexpr Port most_ports = 64;

class ShortestPaths {
 public:
  /// @throws Error where the degree is above most_ports.
  explicit ShortestPaths(const Network& network);

  std::uint64_t ports(Node relative) const { return ports_[relative]; }
  std::uint32_t distance(Node relative) const { return distances_[relative]; }

 private:
  std::vector<std::uint32_t> distances_;
  std::vector<std::uint64_t, HugePageAllocator<std::uint64_t>> ports_;
};

}  // namespace isotrope::simulate

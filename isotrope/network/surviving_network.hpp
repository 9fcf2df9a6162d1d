// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A network with open axes, or after failures: a graph without symmetry, whose distances have to be searched. Any graph is a
// complete network without some links, so all results here hold for every graph.
//
// Convention: nodes and ports keep their numbers. A link carries unless it, in either direction, or one of its two
// nodes has failed.
//
// Memory: a byte a directed link. Cost: a search visits every directed link once.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "isotrope/network/failures.hpp"
#include "isotrope/network/network.hpp"

namespace isotrope::network {

/// The distance to a node that cannot be reached.
inline constexpr std::uint32_t unreachable = std::numeric_limits<std::uint32_t>::max();

class SurvivingNetwork {
 public:
  /// @throws Error if a failed node or link lies outside the network, where no node is left, or where
  /// there are more directed links than memory is worth spending on.
  SurvivingNetwork(Network whole, Failures failures);

  /// The network before anything failed, with its axes closed.
  const Network& whole() const { return whole_; }
  /// The failed nodes and links, and the open axes.
  const Failures& failures() const { return failures_; }
  /// The nodes that are left, ascending; never empty.
  const std::vector<Node>& nodes() const { return nodes_; }
  bool alive(Node node) const { return alive_[node] != 0; }
  /// Whether the directed link of `port` at `node` carries.
  bool carries(Node node, Port port) const {
    return carries_[std::uint64_t{node} * whole_.degree() + port] != 0;
  }
  /// The ports of a node that carry.
  Port degree(Node node) const;
  /// Links that carry, both directions together.
  std::uint64_t links() const;

  /// Calls `function(port, neighbour)` for every port of `node` that carries, ascending.
  template <class Function>
  void for_each_neighbour(Node node, Function&& function) const {
    for (Port port = 0; port < whole_.degree(); ++port) {
      if (carries(node, port)) function(port, whole_.neighbour(node, port));
    }
  }

  /// The distance from `from` to every node of the whole network; failed nodes are unreachable.
  std::vector<std::uint32_t> distances(Node from) const;
  /// The nodes left that cannot be reached from `from`, ascending.
  std::vector<Node> cut_off(Node from) const;

 private:
  Network whole_;
  Failures failures_;
  std::vector<std::uint8_t> alive_;
  std::vector<std::uint8_t> carries_;
  std::vector<Node> nodes_;
};

}  // namespace isotrope::network

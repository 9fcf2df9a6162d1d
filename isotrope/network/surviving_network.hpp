// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A network with open axes, or after failures: a graph without symmetry, whose distances have to be searched. Any graph is a
// complete network without some links, so all results here hold for every graph.
//
// Convention: nodes and ports keep their numbers. A link carries unless it, in either direction, or one of its two
// nodes has failed.
//
// Memory: six bytes a directed link that carries. Cost: a search visits every directed link that carries once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
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
  bool carries(Node node, Port port) const { return std::ranges::binary_search(ports(node), port); }
  /// The ports of a node that carry, ascending.
  std::span<const std::uint16_t> ports(Node node) const {
    return std::span(ports_).subspan(first_[node], first_[node + 1] - first_[node]);
  }
  /// By port of ports(node), the node at its other end.
  std::span<const Node> neighbours(Node node) const {
    return std::span(neighbours_).subspan(first_[node], first_[node + 1] - first_[node]);
  }
  /// The receivers of all directed links that carry, sender by sender.
  std::span<const Node> receivers() const { return neighbours_; }
  /// Where in receivers() those of a node begin; for the number of nodes, where they end.
  std::uint64_t first_link(Node node) const { return first_[node]; }
  /// The number of ports of a node that carry.
  Port degree(Node node) const { return static_cast<Port>(first_[node + 1] - first_[node]); }
  /// Links that carry, both directions together.
  std::uint64_t links() const { return ports_.size() / 2; }

  /// Calls `function(port, neighbour)` for every port of `node` that carries, ascending.
  template <class Function>
  void for_each_neighbour(Node node, Function&& function) const {
    for (std::uint64_t link = first_[node]; link < first_[node + 1]; ++link)
      function(Port{ports_[link]}, neighbours_[link]);
  }

  /// The distance from `from` to every node of the whole network; failed nodes are unreachable.
  std::vector<std::uint32_t> distances(Node from) const;
  /// The nodes left that cannot be reached from `from`, ascending.
  std::vector<Node> cut_off(Node from) const;

 private:
  std::vector<std::uint64_t> both_ways(const std::vector<Link>& links) const;
  std::vector<std::uint64_t> missing_links() const;
  void list_ports(const std::vector<std::uint64_t>& missing);
  void list_neighbours();

  Network whole_;
  Failures failures_;
  std::vector<std::uint8_t> alive_;
  std::vector<std::uint64_t> first_;  // where in ports_ a node's begin; behind the last node, their number
  std::vector<std::uint16_t> ports_;
  std::vector<Node> neighbours_;  // by place in ports_: searches look at each again and again
  std::vector<Node> nodes_;
};

}  // namespace isotrope::network

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A symmetric direct network: the Cayley graph of a finite abelian group.
//
// Convention: nodes are group elements, ports are generators. Port j of node v leads to v + generators[j],
// and the generators are closed under negation, so every link can be used both ways:
//
//     v --port j--> v + g_j          v <--opposite(j)-- v + g_j
//
// A generator may be given several times: so many links lie side by side (rates.hpp). The k-th port of a generator, by
// number, has the k-th port of its negative as its opposite.
//
// A directed link is a pair (node, port). Translation by any element is an automorphism, so what holds at
// node 0 holds everywhere: distance(a, b) = distance(0, b - a).
//
// Memory: O(degree); no adjacency is stored. Families have files of their own beside this one; `parse` reads
// their names.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "isotrope/network/group.hpp"

namespace isotrope::network {

/// A port of a node: an index into the network's generators, 0..degree-1.
using Port = std::uint32_t;

/// More ports, or more directed links, than any network may have.
inline constexpr std::uint64_t largest_degree = 65535;
inline constexpr std::uint64_t largest_link_count = std::uint64_t{1} << 32;

/// Distances from node 0. One implementation a family; all are exact.
class Metric {
 public:
  Metric() = default;
  Metric(const Metric&) = delete;
  Metric& operator=(const Metric&) = delete;
  virtual ~Metric() = default;

  /// The least number of hops from node 0 to `node`.
  virtual std::uint32_t distance(Node node) const = 0;

  /// How many nodes are at distance 0, 1, ..., diameter; the sum is the order.
  virtual std::vector<std::uint64_t> distance_counts() const = 0;
};

/// A network. Immutable value; copies share their metric.
class Network {
 public:
  /// A network by group and generators. `generators` are elements, one per port, in port order; `metric` gives
  /// the distances, or is null for breadth-first search, run once at the first question.
  /// @throws Error unless the generators are not 0, each is given as often as its negative, they generate the group,
  /// and the limits above hold.
  Network(std::string name, Group group, std::vector<Node> generators,
          std::shared_ptr<const Metric> metric = nullptr);

  /// In the grammar of network names ("torus:4x4"), or "cayley" if no shorter name exists.
  const std::string& name() const { return name_; }
  const Group& group() const { return group_; }
  /// The number of nodes, N.
  Node order() const { return group_.order(); }
  /// The number of ports of every node.
  Port degree() const { return static_cast<Port>(generators_.size()); }
  std::span<const Node> generators() const { return generators_; }

  Node neighbour(Node node, Port port) const { return group_.add(node, generators_[port]); }
  /// The port that leads back: neighbour(neighbour(v, p), opposite(p)) == v.
  Port opposite(Port port) const { return opposite_[port]; }
  /// The lowest port that leads from a node to its neighbour `to`. @pre a link joins them. Cost: O(degree).
  Port port_to(Node from, Node to) const {
    return static_cast<Port>(std::ranges::find(generators_, group_.subtract(to, from)) - generators_.begin());
  }
  /// N * degree; a link between two nodes counts once each way.
  std::uint64_t directed_links() const { return std::uint64_t{order()} * degree(); }

  std::uint32_t distance(Node from, Node to) const { return metric_->distance(group_.subtract(to, from)); }
  /// Nodes at distance 0, 1, ..., diameter from any node.
  std::vector<std::uint64_t> distance_counts() const { return metric_->distance_counts(); }
  std::uint32_t diameter() const { return static_cast<std::uint32_t>(distance_counts().size()) - 1; }
  /// Sum of the distances from a node to all others.
  std::uint64_t distance_sum() const;
  /// Mean distance to the other N-1 nodes; 0 for a single node.
  double average_distance() const;

  /// Calls `function(neighbour, group)` with the concrete group and a callable Node(Node, Port), so that a
  /// loop inside it costs no dispatch.
  template <class Function>
  decltype(auto) visit(Function&& function) const {
    return group_.visit([&](const auto& group) -> decltype(auto) {
      const Node* generators = generators_.data();
      const auto neighbour = [&group, generators](Node node, Port port) {
        return group.add(node, generators[port]);
      };
      return function(neighbour, group);
    });
  }

 private:
  std::string name_;
  Group group_;
  std::vector<Node> generators_;
  std::vector<Port> opposite_;
  std::shared_ptr<const Metric> metric_;
};

/// The same group, generators and port order; names may differ.
bool same_network(const Network& a, const Network& b);

}  // namespace isotrope::network

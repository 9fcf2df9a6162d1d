// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Shares of the paths from one node to every other one: a path of cost c has a share in proportion to exp(-theta (c - d)), where
// d is the least cost of a path to the same node. The cost is the sum of the lengths of its lanes. All walks count that have at
// most a given number of hops and do not come back to the source; a walk that passes its destination ends there.
//
// Method: the sum w(h, v) of exp(-theta (c - d(v))) over the walks of h hops to v follows from those of h - 1 hops:
//
//     w(h, v) = sum over lanes u -> v of  w(h - 1, u) exp(-theta (length + d(u) - d(v)))
//
// Backwards, what arrives at v in h hops came over each lane in proportion to its term. So all destinations together cost one
// pass, and the way of a single part is found by going back from its destination.
//
// Source: the logit assignment of traffic to roads, Dial 1971, here by layers of hops, which bounds the paths.
// Cost: O(hops * lanes) for the sums and for the loads; 8 bytes * hops * nodes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/base/split_mix.hpp"

#include "isotrope/forward/lane_graph.hpp"

namespace isotrope::forward {

/// The lanes of a path, each by its number at the node that it leaves (shortest_ports.hpp).
using Route = std::vector<std::uint16_t>;

class SoftPaths {
 public:
  /// @param lengths by lane of `graph`, which must outlive this; positive. @param most_hops at least those of the farthest node
  SoftPaths(const LaneGraph& graph, Node source, std::span<const double> lengths, std::uint32_t most_hops,
            double theta);

  /// Adds to each lane what it carries if `bytes`, by destination, are divided by these shares.
  void add_loads(std::span<const std::uint64_t> bytes, std::span<double> loads) const;
  /// Draws `count` paths that use every lane as nearly in proportion to the shares as whole paths can.
  std::vector<Route> draw(Node destination, std::size_t count, SplitMix& random) const;

 private:
  double& sum(std::uint32_t hops, Node node) { return sums_[std::size_t{hops} * graph_.nodes() + node]; }
  double sum(std::uint32_t hops, Node node) const { return sums_[std::size_t{hops} * graph_.nodes() + node]; }
  std::vector<double> least_costs(std::span<const double> lengths) const;

  const LaneGraph& graph_;
  Node source_;
  std::uint32_t most_hops_;
  std::vector<double> factors_;  // by lane
  std::vector<double> sums_;     // by hops, then node
};

}  // namespace isotrope::forward

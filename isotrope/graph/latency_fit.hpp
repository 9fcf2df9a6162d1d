// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which network a machine is, by the latencies between its nodes: the network and the places of the nodes in it for which all
// nodes at the same distance have the same latency, and those farther away no less.
//
//     latencies in us      0-1  12    0-2  15    0-3  12         ring:4, node r at place r
//                          1-2  12    1-3  16    2-3  12         distance 1: 12, distance 2: 15.5
//
// Misfit: the mean over all pairs of |latency - l(d)| / l(d), at most 1 each, with l(d) the median latency of the pairs at distance d.
// From 8 nodes on, a slow node explains what all of its latencies have in common.
// Contrast: l(2) / l(1) - 1. A network is taken if its misfit is small and its contrast is more than the noise could be.
//
// Method. For each family (families.hpp) with L links the L pairs of least latency are its links, if the network is right
// and nothing was disturbed; then a search for an isomorphism (near_placing.hpp) places the nodes. Otherwise, pairs of nodes are
// exchanged (simulated annealing, fixed seed), which a few wrong latencies do not mislead.
//
// Cost: O(N^2 log N), for each family of N <= 64 nodes some 10^5 exchanges of O(N), for larger N only for the best few.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isotrope/network/failures.hpp"
#include "isotrope/network/rank_map.hpp"

namespace isotrope::graph {

/// The latencies between all pairs of nodes, in any unit.
class Latencies {
 public:
  static constexpr network::Node most_nodes = 1024;

  /// @throws Error if there are fewer than 2 nodes, or more than most_nodes
  explicit Latencies(network::Node order);

  network::Node order() const { return order_; }
  double operator()(network::Node a, network::Node b) const { return table_[std::size_t{a} * order_ + b]; }
  /// Sets those of both directions.
  void set(network::Node a, network::Node b, double latency) {
    table_[std::size_t{a} * order_ + b] = table_[std::size_t{b} * order_ + a] = latency;
  }

 private:
  network::Node order_;
  std::vector<double> table_;
};

struct LatencyFit {
  network::MappedNetwork network;        ///< with the place of every node
  double misfit = 0;                     ///< 0..1
  std::vector<double> by_distance = {};  ///< l(1), l(2), ...
};

struct Discovery {
  std::vector<LatencyFit> best;  ///< at most three, least misfit first; if one is taken, it comes first
  bool is_family = false;        ///< whether the first one is taken
  /// The pairs that are neighbours if no family fits: those before the widest gap in the latencies that leaves a connected graph.
  std::vector<network::Edge> edges;
};

/// @pre all latencies are above 0
Discovery discovered(const Latencies& latencies);

}  // namespace isotrope::graph

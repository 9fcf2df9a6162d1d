// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The routes of an exchange of blocks of unequal sizes, balanced over the links in rounds of an agreement, as one node sees
// them. No node knows all sizes. In each round all nodes propose paths for their own blocks, and one sum over all nodes gives
// the load of every lane.
//
//     demand      before the first round: the loads on shortest paths, all alike, and what bounds any routes: the bytes of every
//                 node, in and out, and the sum of bytes times distance
//     round       A lane is the longer, the more it is loaded by what has been agreed:
//                 exp(steepness (load / busiest - 1)) + a hop, over its width (lane_graph.hpp). Each node divides its blocks
//                 over cheap paths (soft_paths.hpp), by these lengths; the loads of all these divisions are summed.
//     mixture     All proposals so far are mixed so that the busiest lane carries least. Every node computes the same mixture
//                 from the same sums; it may differ in the last bits, as nobody needs it to be the same.
//
// Paths have at most two hops more than the longest shortest path, so some leave the crowd on a detour.
//
// Source: the Frank-Wolfe method, which improves a mixture by the best paths for the present prices, here with soft choices
// (Dial 1971) and all mixing weights chosen anew in each round. Claim: busiest() is never less than bound(). Tests compare with it.
// Cost of a round: one sum of a number per lane over all nodes; O(hops * lanes + rounds * lanes) operations.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/base/split_mix.hpp"

#include "isotrope/forward/lane_graph.hpp"
#include "isotrope/forward/soft_paths.hpp"

namespace isotrope::forward {

class BalancedRoutes {
 public:
  static constexpr std::uint32_t most_rounds = 8, more_hops = 2;

  /// @param graph must outlive this @param bytes of the blocks of `node`, by destination
  /// @param received bytes that the node receives @param diameter at least the longest distance
  BalancedRoutes(const LaneGraph& graph, Node node, std::vector<std::uint64_t> bytes, std::uint64_t received,
                 std::uint32_t diameter);

  /// The longest path has so many hops.
  std::uint32_t longest_path() const { return most_hops_; }
  /// How many numbers are summed before the first round, and in a round.
  static std::size_t demand_numbers(const LaneGraph& graph);
  static std::size_t round_numbers(const LaneGraph& graph) { return graph.lanes().size(); }

  /// What this node adds; then, the sums over all nodes.
  void write_demand(std::span<std::uint64_t> numbers);
  void take_demand(std::span<const std::uint64_t> sums);
  /// The same of a round. @pre demand is known; at most most_rounds rounds
  void write_loads(std::span<std::uint64_t> numbers);
  void take_loads(std::span<const std::uint64_t> sums);

  /// Improves the mixture after the last round, which nobody needs to know.
  void finish();

  /// Bytes over the width of the busiest lane by what was agreed.
  double busiest() const { return busiest_; }
  /// Bytes over the width that some lane must carry by any routes.
  double bound() const { return bound_; }
  /// How many rounds pay, the same at all nodes. @pre demand is known, and no round was made
  /// @param byte_s seconds a byte occupies a lane of width 1 @param round_s seconds of a round
  std::uint32_t rounds_that_pay(double byte_s, double round_s) const;

  /// Routes for `count` parts of the block for a destination.
  std::vector<Route> routes(Node destination, std::size_t count) const;

 private:
  std::vector<double> lengths() const;
  void propose(std::span<std::uint64_t> numbers, const std::vector<double>& lengths);
  void take(std::span<const std::uint64_t> sums);
  void mix();
  double best_share_of(const std::vector<double>& proposal) const;
  void improve(std::vector<double> mixture, int steps);

  const LaneGraph& graph_;
  Node node_;
  std::vector<std::uint64_t> bytes_;  // by destination
  std::uint64_t received_;
  std::uint32_t most_hops_;
  std::vector<SoftPaths> proposals_;        // of this node
  std::vector<std::vector<double>> loads_;  // of all nodes, over the width, by proposal, then lane
  std::vector<double> mixture_;             // by proposal; sums to 1
  std::vector<double> agreed_;              // by lane: of the mixture
  double busiest_ = 0, bound_ = 0;
};

}  // namespace isotrope::forward

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A ring cut into clusters of consecutive nodes, each with hubs in its middle: how sums come to the hubs, and how the sums
// of all clusters come from there to all nodes of the ring.
//
//     ring of 8, 2 clusters        0 1 2 3 | 4 5 6 7
//     reduce, 1 step               > h h <   > h h <       nodes send to the next one inwards, the farthest first
//     join, 1 step                   h=h       h=h         the two hubs of a cluster exchange
//     spread, 3 steps              < h h > > < h h >       the sum of a cluster walks both ways until every node has it
//
// A cluster of an even number of nodes has two hubs, or one if hubs are single. A node that the sum of a cluster
// reaches from both sides at once takes it from the lower side.
//
// Cost: O(extent * clusters).
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/network/group.hpp"

#include "isotrope/algorithm/allreduce/middle_out_cut.hpp"

namespace isotrope::algorithm {

class ClusteredRing {
 public:
  using Coordinate = network::Coordinate;

  /// A send from a coordinate to the next one, upwards or downwards.
  struct Send {
    Coordinate from = 0;
    bool upwards = true;
    std::uint32_t cluster = 0;  ///< whose sum is sent, in a step of spreading
  };
  using Steps = std::vector<std::vector<Send>>;

  /// @param extent of the ring, at least 2
  ClusteredRing(Coordinate extent, AxisClusters cut);

  Coordinate extent() const { return extent_; }
  std::uint32_t clusters() const { return cut_.clusters; }
  /// The cluster of a coordinate.
  std::uint32_t cluster_of(Coordinate coordinate) const { return cluster_of_[coordinate]; }
  const std::vector<Coordinate>& hubs() const { return hubs_; }
  const Steps& reduce() const { return reduce_; }
  /// No step, or one.
  const Steps& join() const { return join_; }
  const Steps& spread() const { return spread_; }
  std::uint64_t steps() const { return reduce_.size() + join_.size() + spread_.size(); }
  /// Translations by 0, 1, ... below this number are different, and together treat all coordinates alike.
  Coordinate translations() const;
  /// Whether upward and downward links are used alike.
  bool is_symmetric() const { return symmetric_; }

 private:
  void add_cluster(Coordinate first, Coordinate size);
  void spread_cluster(std::uint32_t cluster, Coordinate low, Coordinate high);

  Coordinate extent_;
  AxisClusters cut_;
  std::vector<std::uint32_t> cluster_of_;
  std::vector<Coordinate> hubs_;
  Steps reduce_, join_, spread_;
  bool symmetric_ = true;
};

}  // namespace isotrope::algorithm

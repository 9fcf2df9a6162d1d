// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/allreduce/clustered_ring.hpp"

#include <algorithm>

namespace isotrope::algorithm {

ClusteredRing::ClusteredRing(Coordinate extent, AxisClusters cut)
    : extent_(extent), cut_(cut), cluster_of_(extent) {
  const Coordinate largest = (extent - 1) / cut.clusters + 1;
  reduce_.resize(cut.single_hub ? largest / 2 : (largest - 1) / 2);
  const Coordinate size = extent / cut.clusters, larger = extent % cut.clusters;
  for (Coordinate cluster = 0, first = 0; cluster < cut.clusters; ++cluster) {
    const Coordinate own = size + (cluster < larger ? 1 : 0);
    std::fill_n(cluster_of_.begin() + first, own, cluster);
    add_cluster(first, own);
    first += own;
  }
}

void ClusteredRing::add_cluster(Coordinate first, Coordinate size) {
  const bool is_even = size % 2 == 0;
  const Coordinate high = first + size / 2, low = is_even && !cut_.single_hub ? high - 1 : high;
  // The steps end together, so that the farthest nodes of the largest clusters begin.
  for (Coordinate c = first; c < first + size; ++c) {
    const Coordinate distance = c < low ? low - c : c > high ? c - high : 0;
    if (distance > 0) reduce_[reduce_.size() - distance].push_back({c, c < low, cluster_of_[c]});
  }
  if (is_even && extent_ > 2 && cut_.single_hub) symmetric_ = false;
  if (low != high) {
    join_.resize(1);
    join_[0].push_back({low, true, cluster_of_[first]});
    join_[0].push_back({high, false, cluster_of_[first]});
  }
  for (Coordinate hub = low; hub <= high; ++hub) hubs_.push_back(hub);
  spread_cluster(cluster_of_[first], low, high);
}

void ClusteredRing::spread_cluster(std::uint32_t cluster, Coordinate low, Coordinate high) {
  const Coordinate others = extent_ - (high - low + 1), upwards = (others + 1) / 2;
  if (upwards > spread_.size()) spread_.resize(upwards);
  for (Coordinate d = 0; d < upwards; ++d) spread_[d].push_back({(high + d) % extent_, true, cluster});
  for (Coordinate d = 0; d < others - upwards; ++d)
    spread_[d].push_back({(low + extent_ - d) % extent_, false, cluster});
  if (others % 2 == 1 && extent_ > 2) symmetric_ = false;
}

ClusteredRing::Coordinate ClusteredRing::translations() const {
  if (hubs_.size() == extent_ && (cut_.clusters == extent_ || extent_ == 2)) return 1;
  return extent_ % cut_.clusters == 0 ? extent_ / cut_.clusters : extent_;
}

}  // namespace isotrope::algorithm

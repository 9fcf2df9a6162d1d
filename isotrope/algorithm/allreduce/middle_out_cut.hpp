// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The parameters of a middle-out allreduce (middle_out.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isotrope::algorithm {

/// How a ring is cut: into clusters of equal sizes, or of sizes that differ by one, the larger ones first.
struct AxisClusters {
  std::uint32_t clusters = 1;  ///< 1..extent
  bool single_hub = false;     ///< clusters of an even number of nodes have one hub too

  bool operator==(const AxisClusters&) const = default;
};

/// The order in which the axes of a torus (network::torus_axes) are reduced, and how each is cut. If all extents are
/// equal, the cyclic orders of the slices move the axes and leave the cuts; else cuts stay with their axes.
struct MiddleOutCut {
  struct Axis {
    std::uint32_t axis = 0;  ///< its place in torus_axes()
    AxisClusters clusters = {};

    bool operator==(const Axis&) const = default;
  };
  std::vector<Axis> order = {};

  bool operator==(const MiddleOutCut&) const = default;
};

/// As in "clusters 2, 1 single": the clusters of the axes in their order.
std::string in_words(const MiddleOutCut& cut);

}  // namespace isotrope::algorithm

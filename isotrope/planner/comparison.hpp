// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The algorithms that can serve a request, side by side over a range of block sizes: how long each takes with
// its best packets, and where the fastest one changes.
//
// Crossovers are found between neighbouring sizes by bisection, to the byte. Cost: that of the predictions.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "isotrope/planner/prediction.hpp"

namespace isotrope::planner {

struct Contestant {
  std::string name;  ///< the algorithm's, with ", merged" where it merges any number of packets
  std::vector<Prediction> predictions = {};  ///< one a block size
};

/// From `bytes` on `faster` is ahead of `slower`, which was the fastest before.
struct Crossover {
  std::uint64_t bytes = 0;
  double seconds = 0;
  std::string slower;
  std::string faster;
};

struct Comparison {
  std::vector<std::uint64_t> block_bytes;
  std::vector<Contestant> contestants;
  std::vector<std::size_t> fastest;  ///< the first of the fastest contestants, one a block size
  std::vector<Crossover> crossovers;
};

/// Compares all algorithms of the catalogue, and on cut-through machines direct sends, for the request's
/// collective, network and ports; parts, order, merging and the algorithm that the request names are not
/// looked at.
/// @param block_bytes ascending, at least one.
/// @throws Error where no algorithm applies.
Comparison compare(const Request& request, const std::vector<std::uint64_t>& block_bytes,
                   const cost::Machine& machine, const std::function<void(double)>& progress = {});

}  // namespace isotrope::planner

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The algorithms that can solve a problem, side by side over a range of sizes: how long each takes with its best
// segments, and at which size the fastest one changes.
//
// Crossovers are found between neighbouring sizes to the byte (crossover_search.hpp); those less than 0.1 % apart are one,
// and an algorithm that is never ahead by more than 0.1 % of the time between two of them is left out. Cost: that of the predictions, and of a few predictions for each step of a search.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "isotrope/planner/choice.hpp"

namespace isotrope::planner {

/// The predictions of one candidate, one per size.
struct Curve {
  std::string name;  ///< Candidate::name(), without Parameters::levels, of which the fastest ones count
  std::vector<Prediction> predictions = {};
};

/// From `bytes` on `faster` is ahead of `slower`, which was the fastest before.
struct Crossover {
  std::uint64_t bytes = 0;
  double seconds = 0;
  std::string slower;
  std::string faster;
};

struct Comparison {
  std::vector<std::uint64_t> bytes;  ///< as MPI counts them
  std::vector<Curve> curves = {};
  std::vector<std::size_t> fastest = {};  ///< the first of the fastest curves, one per size
  std::vector<Crossover> crossovers = {};
  std::vector<double> bound_s =
      {};  ///< the lower bounds of messages between neighbours (TimeBound), one per size

  /// The curves by number, those with the same times at all sizes together, in the order of the first ones.
  std::vector<std::vector<std::size_t>> groups() const;
};

/// Compares all algorithms, or those named, that support the problem's collective, network and ports; its parts and
/// aggregation limit are not looked at.
/// @param bytes as MPI counts them, ascending, at least one.
/// @param algorithms names or aliases, in the order of the curves; empty: all.
/// @param associative as Preferences::associative
/// @throws Error if no algorithm applies, or one of those named does not.
Comparison compare(const Problem& problem, const std::vector<std::uint64_t>& bytes,
                   const cost::Machine& machine, const std::vector<std::string>& algorithms = {},
                   bool associative = false, const std::function<void(double)>& progress = {});

}  // namespace isotrope::planner

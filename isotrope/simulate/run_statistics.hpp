// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Statistics of runs from many seeds: mean, extremes, standard deviation, and the interval that holds the true
// mean with 95 percent confidence, for values that are about normal:
//
//     mean +- t s / sqrt(n)      s the deviation of n values, t Student's 0.975 quantile with n - 1 degrees of
//                                freedom
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "isotrope/simulate/packet_simulator.hpp"

namespace isotrope::simulate {

struct Summary {
  double mean = 0;
  double smallest = 0;
  double largest = 0;
  double deviation = 0;  ///< divided by n - 1; 0 for a single value
  /// Half the width of the confidence interval; nothing for a single value.
  std::optional<double> confidence_95 = {};
};

/// @throws Error if there is no value.
Summary summarize(std::span<const double> values);

struct RunStatistics {
  std::uint64_t runs = 0;
  Summary rounds = {};
  Summary mean_delay = {};    ///< in rounds; over one value per run, as all others
  Summary seconds = {};       ///< with hop times, instead of rounds
  Summary mean_delay_s = {};  ///< the same
  Summary mean_queue = {};
  Summary longest_queue = {};
};

/// Runs from the seeds first_seed, first_seed + 1, ...; `progress` is called after each with the share done.
/// @throws Error if `runs` is 0.
RunStatistics run_statistics(const PacketSimulator& simulator, std::uint64_t first_seed, std::uint32_t runs,
                             const std::function<void(double)>& progress = {});

}  // namespace isotrope::simulate

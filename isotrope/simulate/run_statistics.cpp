// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/simulate/run_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <boost/math/distributions/students_t.hpp>

#include "isotrope/base/error.hpp"

namespace isotrope::simulate {

Summary summarize(std::span<const double> values) {
  if (values.empty()) throw Error("no values to sum up: give one run or more");
  const auto count = static_cast<double>(values.size());
  const auto [smallest, largest] = std::ranges::minmax(values);
  Summary result{.mean = std::accumulate(values.begin(), values.end(), 0.0) / count,
                 .smallest = smallest,
                 .largest = largest};
  if (values.size() == 1) return result;
  double squares = 0;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  result.deviation = std::sqrt(squares / (count - 1));
  const double student = boost::math::quantile(boost::math::students_t(count - 1), 0.975);
  result.confidence_95 = student * result.deviation / std::sqrt(count);
  return result;
}

RunStatistics run_statistics(const PacketSimulator& simulator, std::uint64_t first_seed, std::uint32_t runs,
                             const std::function<void(double)>& progress) {
  const bool timed = simulator.is_timed();
  std::vector<double> ends, delays, queues, longest;
  for (std::uint32_t i = 0; i < runs; ++i) {
    const PacketRun run = simulator.run(first_seed + i);
    ends.push_back(timed ? run.seconds : static_cast<double>(run.rounds));
    delays.push_back(timed ? run.mean_delay_s() : run.mean_delay());
    queues.push_back(run.mean_queue);
    longest.push_back(static_cast<double>(run.longest_queue));
    if (progress) progress(static_cast<double>(i + 1) / static_cast<double>(runs));
  }
  RunStatistics result{.runs = runs, .mean_queue = summarize(queues), .longest_queue = summarize(longest)};
  (timed ? result.seconds : result.rounds) = summarize(ends);
  (timed ? result.mean_delay_s : result.mean_delay) = summarize(delays);
  return result;
}

}  // namespace isotrope::simulate

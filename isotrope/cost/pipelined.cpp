// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/pipelined.hpp"

#include <algorithm>
#include <cmath>

#include "isotrope/cost/ramp.hpp"

namespace isotrope::cost {
namespace {

// The most segments over one link: more of them save less than they cost beside their bytes.
constexpr double most_per_link = 512;

// Seconds of a processor that receives so many messages and passes them on.
double busy_with(std::uint64_t messages, std::uint64_t bytes, const Machine& machine) {
  return machine.overhead(messages, messages * bytes) + machine.receive_overhead(messages);
}

}  // namespace

Prediction pipelined(const PipelinedTrees& trees, std::uint64_t block_bytes, std::uint32_t segments,
                     std::uint64_t rounds, std::uint32_t window, const Machine& machine) {
  constexpr double waits = 1 + 1.0 / 32;
  Prediction result{.segments = segments, .rounds = rounds, .window = window};
  const double fill = trees.line.fill;
  // Segments over one link of the root, and the number of full ones that they amount to.
  const double a_link = std::max(1.0, static_cast<double>(rounds) - fill);
  const double full =
      static_cast<double>(ramp_weights(static_cast<std::uint64_t>(a_link), window)) / full_weight;
  const double bytes = static_cast<double>(block_bytes) * a_link / (segments * full);
  result.segment_bytes = static_cast<std::uint64_t>(std::llround(bytes));

  const double busy = busy_with(trees.degree, result.segment_bytes, machine);
  const double startup = static_cast<double>(machine.startups(result.segment_bytes)) * machine.startup_s;
  const double transfer = bytes * machine.byte_time_s;
  const double shared = window > 2 ? 1.5 * transfer : transfer;
  const double period = std::max({transfer, busy, (busy + startup + transfer) / window});
  result.seconds = waits * ((fill + 1) * (busy + startup + shared) + (full - 1) * period);
  result.link_bytes = static_cast<std::uint64_t>((full + fill) * bytes);
  result.transfer_s = (fill + full) * transfer;
  result.overhead_s = std::min((fill + full) * busy, result.seconds - result.transfer_s);
  result.startup_s = result.seconds - result.overhead_s - result.transfer_s;
  return result;
}

std::vector<std::uint32_t> pipelined_segments(const PipelinedTrees& trees, std::uint64_t block_bytes,
                                              std::uint32_t window, std::uint64_t most_segments,
                                              const Machine& machine) {
  const PipelineCost& line = trees.line;
  const auto bytes = static_cast<double>(block_bytes);
  const double busy = busy_with(trees.degree, 0, machine);
  const double full = std::max({(machine.startup_s + busy) / (window - 1) / machine.byte_time_s,
                                busy / machine.byte_time_s, line.per_packet * bytes / most_per_link});
  const double small = std::min(full, line.best_packet(bytes / window, machine));
  const double least = std::ceil(2.0 * window / line.per_packet);
  const double most = std::min(bytes, static_cast<double>(most_segments));

  std::vector<std::uint32_t> result;
  if (least > most) return result;
  for (const double segment : {full, small}) {
    const double a_link = std::floor(line.per_packet * bytes / segment + ramp_packets(window));
    for (const double near : {a_link, a_link + 1}) {
      const double segments = std::clamp(std::round(near / line.per_packet), least, most);
      result.push_back(static_cast<std::uint32_t>(segments));
    }
  }
  return result;
}

bool links_bound(const PipelinedTrees& trees, const Prediction& prediction, const Machine& machine) {
  const double busy = busy_with(trees.degree, prediction.segment_bytes, machine);
  return busy <= static_cast<double>(prediction.segment_bytes) * machine.byte_time_s;
}

}  // namespace isotrope::cost

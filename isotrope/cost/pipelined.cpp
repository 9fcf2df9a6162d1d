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

// Seconds of a processor with the segments of a round, those that it sends and receives; in a reduce, backwards.
double busy_with(std::uint64_t sent, std::uint64_t received, std::uint64_t bytes, const Machine& machine) {
  const auto takes = [&](std::uint64_t out, std::uint64_t in) {
    return machine.overhead(out, out * bytes) + machine.receive_overhead(in);
  };
  return std::max(takes(sent, received), takes(received, sent));
}

// Segments that a node receives in a round.
std::uint64_t received_a_round(const PipelinedTrees& trees) {
  const double at_once = std::ceil(1 / trees.line.per_packet);
  return static_cast<std::uint64_t>(std::clamp(at_once, 1.0, static_cast<double>(trees.degree)));
}

// Of the root, which sends over all ports, or of another node. Nothing of a single tree goes back over the link it came by.
double busy_with(const PipelinedTrees& trees, std::uint64_t bytes, const Machine& machine) {
  const std::uint64_t degree = trees.degree, received = received_a_round(trees);
  const std::uint64_t passed_on = received == 1 ? degree - 1 : degree;
  return std::max(busy_with(degree, 0, bytes, machine), busy_with(passed_on, received, bytes, machine));
}

}  // namespace

Prediction pipelined(const PipelinedTrees& trees, std::uint64_t block_bytes, std::uint32_t segments,
                     std::uint64_t rounds, std::uint32_t window, const Machine& machine) {
  Prediction result{.segments = segments, .rounds = rounds, .window = window};
  const double fill = trees.line.fill;
  // Segments over one link of the root, and the number of full ones that they amount to.
  const double a_link = std::max(1.0, static_cast<double>(rounds) - fill);
  const double full =
      static_cast<double>(ramp_weights(static_cast<std::uint64_t>(a_link), window)) / full_weight;
  const double bytes = static_cast<double>(block_bytes) * a_link / (segments * full);
  result.segment_bytes = static_cast<std::uint64_t>(std::llround(bytes));

  const double busy = busy_with(trees, result.segment_bytes, machine);
  const double startup = static_cast<double>(machine.startups(result.segment_bytes)) * machine.startup_s;
  const double transfer = bytes * machine.byte_time_s;
  // A node prepares the next segment of a single tree while the last one is on its way, so that they share the link.
  const bool prepares_ahead = received_a_round(trees) == 1 && busy > 0;
  const double waits = prepares_ahead ? 1 : 1 + 1.0 / 32;
  const double prepared = prepares_ahead ? machine.overhead(1, result.segment_bytes) : busy;
  const double shared = (window > 2 ? 1.5 : prepares_ahead ? 1.375 : 1) * transfer;
  const double period = std::max({transfer, busy, (prepared + startup + transfer) / window});
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
  const double busy = busy_with(trees, 0, machine);
  const double as_busy = std::max(busy / machine.byte_time_s, line.per_packet * bytes / most_per_link);
  const double full = std::max((machine.startup_s + busy) / (window - 1) / machine.byte_time_s, as_busy);
  const double small = std::min(full, line.best_packet(bytes / window, machine));
  const double least = std::ceil(2.0 * window / line.per_packet);
  const double most = std::min(bytes, static_cast<double>(most_segments));

  std::vector<std::uint32_t> result;
  if (least > most) return result;
  for (const double segment : {full, small, busy > 0 ? as_busy : full}) {
    const double a_link = std::floor(line.per_packet * bytes / segment + ramp_packets(window));
    for (const double near : {a_link, a_link + 1}) {
      const double segments = std::clamp(std::round(near / line.per_packet), least, most);
      result.push_back(static_cast<std::uint32_t>(segments));
    }
  }
  return result;
}

bool links_bound(const PipelinedTrees& trees, const Prediction& prediction, const Machine& machine) {
  const double busy = busy_with(trees, prediction.segment_bytes, machine);
  return busy <= static_cast<double>(prediction.segment_bytes) * machine.byte_time_s;
}

}  // namespace isotrope::cost

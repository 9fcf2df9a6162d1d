// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scan/axis_scan.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "isotrope/network/torus_axes.hpp"

namespace isotrope::algorithm {
namespace {

using schedule::PacketId;
using schedule::Port;
using schedule::Problem;
using schedule::Stage;
using schedule::ValueId;

// The rounds of one part along one axis. In its round r the value of the node r + 1 behind comes over `forward`, and in
// the first `backwards` rounds that of the node r + 1 ahead over `backward`.
struct AxisPhase {
  Port forward, backward;
  std::uint64_t begin;  // the first round, from the begin of the part
  std::uint64_t rounds;
  std::uint64_t backwards;
  ValueId values;  // that a node has before

  /// The value that comes over `forward` in round r of the phase; what comes over `backward` is the next.
  ValueId arrival(std::uint64_t r) const { return values + static_cast<ValueId>(r + std::min(r, backwards)); }
  Port ports_in(std::uint64_t r) const { return r < backwards ? 2 : 1; }
};

std::vector<AxisPhase> phases(const Problem& problem) {
  const bool both_ways = problem.ports.sends(problem.network.degree()) > 1;
  auto axes = *network::torus_axes(problem.network);
  std::ranges::reverse(axes);  // the least significant first
  std::vector<AxisPhase> result;
  std::uint64_t begin = 0;
  ValueId values = 1;
  for (const auto& axis : axes) {
    const std::uint64_t others = axis.extent - 1, backwards = both_ways ? others / 2 : 0;
    result.push_back({axis.forward, axis.backward, begin, others - backwards, backwards, values});
    begin += others - backwards;
    values += axis.extent - 1;
  }
  return result;
}

std::uint64_t rounds_of_a_part(const std::vector<AxisPhase>& phases) {
  return phases.empty() ? 0 : phases.back().begin + phases.back().rounds;
}

// Whether parts that begin `interval` rounds apart use `most` ports at most.
bool fits_ports(const std::vector<AxisPhase>& phases, std::uint64_t interval, Port most) {
  std::vector<Port> used(interval, 0);
  for (const AxisPhase& phase : phases) {
    for (std::uint64_t r = 0; r < phase.rounds; ++r) used[(phase.begin + r) % interval] += phase.ports_in(r);
  }
  return std::ranges::max(used) <= most;
}

// The rounds from the begin of a part to that of the next: 0 if all parts go together.
std::uint64_t axis_interval(const Problem& problem, const std::vector<AxisPhase>& phases) {
  if (problem.aggregated() || phases.empty()) return 0;
  std::uint64_t interval = std::ranges::max(phases, {}, &AxisPhase::rounds).rounds;
  while (!fits_ports(phases, interval, problem.ports.sends(problem.network.degree()))) ++interval;
  return interval;
}

class ScanWriter {
 public:
  explicit ScanWriter(const Problem& problem)
      : problem_(problem), phases_(phases(problem)), interval_(axis_interval(problem, phases_)) {}

  schedule::Schedule run() {
    const std::uint64_t rounds = axis_scan_rounds(problem_);
    for (std::uint64_t t = 0; t < rounds; ++t) {
      for (std::uint32_t part = first_part(t); part < problem_.task.parts && part * interval_ <= t; ++part)
        add_hops(part, t - part * interval_);
      stage_.rounds.close_round();
    }
    std::vector<ValueId> all(axis_scan_values(problem_));
    std::iota(all.begin(), all.end(), ValueId{0});
    stage_.result.assign(problem_.task.parts, all);
    const auto kind = problem_.aggregated() ? schedule::RoundKind::aggregated : schedule::RoundKind::strict;
    return {problem_.ports, kind, {std::move(stage_)}};
  }

 private:
  // The first part that is not yet complete.
  std::uint32_t first_part(std::uint64_t t) const {
    const std::uint64_t length = rounds_of_a_part(phases_);
    return interval_ == 0 || t < length ? 0 : static_cast<std::uint32_t>((t - length) / interval_ + 1);
  }

  void add_hops(std::uint32_t part, std::uint64_t t) {
    const auto after = std::ranges::upper_bound(phases_, t, {}, &AxisPhase::begin);
    const AxisPhase& phase = *(after - 1);
    const std::uint64_t r = t - phase.begin;
    if (r == 0) {
      std::vector<ValueId> all(phase.values);
      std::iota(all.begin(), all.end(), ValueId{0});
      const PacketId sum = add_sum(part, std::move(all));
      stage_.rounds.add({sum, 0, phase.forward});
      if (phase.backwards > 0) stage_.rounds.add({sum, 0, phase.backward});
      return;
    }
    stage_.rounds.add({add_sum(part, {phase.arrival(r - 1)}), 0, phase.forward});
    if (r < phase.backwards)
      stage_.rounds.add({add_sum(part, {phase.arrival(r - 1) + 1}), 0, phase.backward});
  }

  PacketId add_sum(std::uint32_t part, std::vector<ValueId> values) {
    stage_.sums.push_back({part, std::move(values)});
    return static_cast<PacketId>(stage_.sums.size() - 1);
  }

  const Problem& problem_;
  std::vector<AxisPhase> phases_;
  std::uint64_t interval_;
  Stage stage_{schedule::Flow::exchange, schedule::Replication::all(), {}, {}};
};

}  // namespace

schedule::Schedule axis_scan(const Problem& problem) {
  return ScanWriter(problem).run();
}

std::uint64_t axis_scan_rounds(const Problem& problem) {
  const std::vector<AxisPhase> all = phases(problem);
  return rounds_of_a_part(all) + (problem.task.parts - std::uint64_t{1}) * axis_interval(problem, all);
}

std::uint64_t axis_scan_values(const Problem& problem) {
  const auto axes = network::torus_axes(problem.network);
  std::uint64_t values = 1;
  for (const network::TorusAxis& axis : *axes) values += axis.extent - 1;
  return values;
}

}  // namespace isotrope::algorithm

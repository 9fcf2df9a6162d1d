// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/time_bound.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/network/rates.hpp"

#include "isotrope/bound/bandwidth.hpp"
#include "isotrope/bound/lower_bounds.hpp"

namespace isotrope::planner {
namespace {

// The parts by which rounds are bounded: enough for the cost of one more to show.
constexpr std::uint32_t many_parts = 1 << 16;

std::uint64_t value_of_kind(const std::vector<schedule::Bound>& bounds, const std::string& kind) {
  const auto found = std::ranges::find(bounds, kind, &schedule::Bound::kind);
  return found == bounds.end() ? 0 : found->value;
}

}  // namespace

// Bounds on strict rounds are of the form ceil(x P) + constant, or the largest of several such, so x is at least the
// growth from 1 part to P over P; and what holds for strict rounds of ever smaller packets holds for the bytes of
// any (bound/bandwidth.hpp).
TimeBounds::LinkBlocks TimeBounds::growth_of_bounds(Problem problem) {
  problem.aggregation = 1;
  problem.task.parts = 1;
  const auto one = bound::lower_bounds(problem);
  problem.task.parts = many_parts;
  LinkBlocks result;
  for (const schedule::Bound& bound : bound::lower_bounds(problem)) {
    const std::uint64_t first = value_of_kind(one, bound.kind);
    const double growth = static_cast<double>(bound.value - first) / many_parts;
    if (first > 0 && growth > result.least) result = {growth, bound.kind};
  }
  return result;
}

// None for barriers, whose packets are empty, and for an allreduce around failures.
TimeBounds::LinkBlocks TimeBounds::least_link_blocks(Problem problem) {
  if (problem.task.collective == Collective::barrier) return {};
  LinkBlocks sends;
  if (problem.failed.empty()) {
    Problem cut = problem;
    cut.task.parts = many_parts;
    if (const auto bound = bound::bandwidth_bound(cut))
      sends = {static_cast<double>(bound->value - 1) / many_parts, bound->kind};
  }
  const bool cuts_count = sends.kind.empty() || network::has_copies(problem.network);
  if (problem.task.collective == Collective::allreduce || !cuts_count) return sends;
  LinkBlocks all = growth_of_bounds(std::move(problem));
  return all.least > sends.least ? all : sends;
}

TimeBounds::TimeBounds(const Problem& problem)
    : blocks_(least_link_blocks(problem)),
      shares_(problem.task.collective == Collective::allreduce
                  ? static_cast<double>(problem.network.order() - problem.failed.nodes.size())
                  : 1) {
  rounds_.knows_bytes = !blocks_.kind.empty();
  if (rounds_.knows_bytes)
    rounds_.bytes_because = fmt::format("{}: {:.4g} times a block", blocks_.kind, blocks_.least);
  Problem merged = problem;
  merged.aggregation = unbounded;
  const auto bounds = bound::lower_bounds(merged);
  if (bounds.empty()) return;
  rounds_.rounds = bounds.front().value;
  rounds_.rounds_because = bounds.front().because;
}

// The share of a node in an allreduce is no whole number of bytes, since vectors may be carried whole.
TimeBound TimeBounds::at(std::uint64_t bytes, const cost::Machine& machine) const {
  TimeBound result = rounds_;
  result.bytes = blocks_.least * static_cast<double>(bytes) / shares_;
  result.seconds = static_cast<double>(result.rounds) * machine.round_time(1, 0, 0, 1) +
                   result.bytes * machine.byte_time_s;
  return result;
}

}  // namespace isotrope::planner

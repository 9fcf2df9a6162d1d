// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/choice.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/bound/bandwidth.hpp"
#include "isotrope/bound/lower_bounds.hpp"
#include "isotrope/cost/workload.hpp"

#include "isotrope/planner/contest.hpp"
#include "isotrope/planner/plan.hpp"

namespace isotrope::planner {
namespace {

// The parts by which rounds are bounded: enough for the cost of one more to show.
constexpr std::uint32_t many_parts = 1 << 16;

// How many blocks the busiest links of all rounds carry together, at least.
struct LinkBlocks {
  double least = 0;
  std::string kind = {};  // of the bound; empty: none is known
};

std::uint64_t value_of_kind(const std::vector<schedule::Bound>& bounds, const std::string& kind) {
  const auto found = std::ranges::find(bounds, kind, &schedule::Bound::kind);
  return found == bounds.end() ? 0 : found->value;
}

// Bounds on strict rounds are of the form ceil(x P) + constant, or the largest of several such, so x is at least the
// growth from 1 part to P over P; and what holds for strict rounds of ever smaller packets holds for the bytes of
// any (bound/bandwidth.hpp).
LinkBlocks growth_of_bounds(Problem problem) {
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
LinkBlocks least_link_blocks(Problem problem) {
  if (problem.task.collective == Collective::barrier) return {};
  if (problem.failed.empty()) {
    Problem cut = problem;
    cut.task.parts = many_parts;
    if (const auto bound = bound::bandwidth_bound(cut))
      return {static_cast<double>(bound->value - 1) / many_parts, bound->kind};
  }
  if (problem.task.collective == Collective::allreduce) return {};
  return growth_of_bounds(std::move(problem));
}

// For blocks of `block_bytes`: of an allreduce, whose vectors may be carried whole, the share of a node is no whole
// number of bytes.
TimeBound time_bound(Problem problem, const LinkBlocks& link_blocks, double block_bytes,
                     const cost::Machine& machine) {
  TimeBound result;
  result.knows_bytes = !link_blocks.kind.empty();
  result.bytes = link_blocks.least * block_bytes;
  if (result.knows_bytes)
    result.bytes_because = fmt::format("{}: {:.4g} times a block", link_blocks.kind, link_blocks.least);
  problem.aggregation = unbounded;
  const auto bounds = bound::lower_bounds(problem);
  if (!bounds.empty()) {
    result.rounds = bounds.front().value;
    result.rounds_because = bounds.front().because;
  }
  result.seconds = static_cast<double>(result.rounds) * machine.round_time(1, 0, 0, 1) +
                   result.bytes * machine.byte_time_s;
  return result;
}

// The blocks of all nodes together can be counted: a gathered allreduce has them all at once.
void require_size(std::uint64_t bytes, const Network& network) {
  const std::uint64_t most = cost::most_block_bytes / network.order();
  if (bytes >= 1 && bytes <= most) return;
  throw Error(fmt::format("{} bytes: give 1 to {}", bytes, most));
}

// Entrants with the fewest rounds of one segment come first, as they are the likeliest to leave others behind. One
// whose search finds no schedule is kept only if it is alone, so that making its plan says why.
std::vector<std::size_t> likeliest_first(std::vector<Entrant>& field) {
  std::vector<std::uint64_t> rounds;
  std::vector<std::size_t> order;
  for (Entrant& entrant : field) {
    rounds.push_back(entrant.least_rounds());
    if (rounds.back() < no_rounds || field.size() == 1) order.push_back(rounds.size() - 1);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return rounds[i]; });
  return order;
}

std::vector<Candidate> predicted(std::vector<Entrant>& field, std::uint64_t bytes,
                                 const cost::Machine& machine, bool fixed_parts, Detail detail) {
  std::vector<Candidate> result;
  double least = std::numeric_limits<double>::infinity();
  for (const std::size_t i : likeliest_first(field)) {
    result.push_back(fixed_parts ? field[i].as_given(bytes, machine)
                                 : field[i].fastest_below(least, bytes, machine));
    if (detail == Detail::winner) least = std::min(least, result.back().prediction.seconds);
  }
  std::ranges::stable_sort(result, [](const Candidate& a, const Candidate& b) {
    if (a.prediction.seconds != b.prediction.seconds) return a.prediction.seconds < b.prediction.seconds;
    return a.at_least < b.at_least;
  });
  return result;
}

}  // namespace

std::string Candidate::name() const {
  std::string result = algorithm->name();
  if (parameters.digits > 0) result += fmt::format(", radix {}", std::uint64_t{1} << parameters.digits);
  if (!parameters.cut.order.empty()) result += ", " + algorithm::in_words(parameters.cut);
  if (parameters.levels) result += ", " + to_string(*parameters.levels);
  if (problem.aggregation == unbounded) result += ", aggregated";
  return result;
}

bool Candidate::over_overlay() const {
  return algorithm->traits().overlay || algorithm->overlay(problem, parameters).has_value();
}

Choice choose_for(const Problem& problem, std::uint64_t bytes, const cost::Machine& machine,
                  const Preferences& preferences, Fixed fixed, Detail detail) {
  check(machine, problem.network.degree());
  if (problem.task.collective == Collective::barrier) {
    bytes = 0;  // its packets are empty
  } else {
    require_size(bytes, problem.network);
  }
  const bool cut_through = machine.cut_through && !(fixed.parts && problem.task.parts > 1);
  const LinkBlocks link_blocks = least_link_blocks(problem);
  auto field = entrants(problem, preferences, fixed.aggregation, cut_through, link_blocks.least);
  const double shares = problem.task.collective == Collective::allreduce ? problem.network.order() : 1;
  return {.problem = problem,
          .bytes = bytes,
          .block_bytes = block_bytes_of(problem, bytes),
          .machine = machine,
          .candidates = predicted(field, bytes, machine, fixed.parts, detail),
          .bound = time_bound(problem, link_blocks, static_cast<double>(bytes) / shares, machine)};
}

schedule::Plan make_plan(const Candidate& candidate) {
  return make_plan(candidate.problem, *candidate.algorithm, candidate.parameters);
}

}  // namespace isotrope::planner

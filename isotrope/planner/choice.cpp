// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/choice.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/cost/workload.hpp"

#include "isotrope/planner/contest.hpp"
#include "isotrope/planner/plan.hpp"
#include "isotrope/planner/time_bound.hpp"

namespace isotrope::planner {
namespace {

// The blocks of all nodes together can be counted: a gathered allreduce has them all at once.
void require_size(std::uint64_t bytes, const Network& network) {
  const std::uint64_t most = cost::most_block_bytes / network.order();
  if (bytes >= 1 && bytes <= most) return;
  throw Error(fmt::format("{} bytes: give 1 to {}", bytes, most));
}

// The bytes of the problem, if the machine and they are within range: packets of a barrier are empty.
std::uint64_t checked_bytes(const Problem& problem, std::uint64_t bytes, const cost::Machine& machine) {
  check(machine, problem.network.degree());
  if (problem.task.collective == Collective::barrier) return 0;
  require_size(bytes, problem.network);
  return bytes;
}

// Entrants with the fewest rounds of one segment come first, as they are the likeliest to leave others behind; before them
// plan files of the user, so that they win ties. One
// whose search finds no schedule is kept only if it is alone, so that making its plan says why. Those for other sizes do
// not take part.
std::vector<std::size_t> likeliest_first(std::vector<Entrant>& field, std::uint64_t bytes) {
  std::vector<std::uint64_t> rounds;
  std::vector<std::size_t> order;
  for (Entrant& entrant : field) {
    rounds.push_back(entrant.serves(bytes) ? entrant.least_rounds() : no_rounds);
    if (rounds.back() < no_rounds || field.size() == 1) order.push_back(rounds.size() - 1);
  }
  if (field.size() == 1 && !field.front().serves(bytes))
    throw Error(
        fmt::format("algorithm {}: it is not for {} bytes; the name of its plan file says for how many",
                    field.front().name(), bytes));
  std::ranges::stable_sort(order, {},
                           [&](std::size_t i) { return std::pair(!field[i].is_from_file(), rounds[i]); });
  return order;
}

// What to say if no candidate has a schedule.
[[noreturn]] void refuse_all(const Problem& problem) {
  if (problem.aggregated() && problem.aggregation != unbounded)
    throw Error(fmt::format(
        "no algorithm for a size sends messages of up to {} packets: give --merge all, or no --bytes",
        problem.aggregation));
  throw Error("no algorithm finds a schedule: give fewer parts, or name an algorithm");
}

// If links are missing, no node stands for others; nor in a tree.
Entrant::Effort effort(const Problem& problem) {
  Entrant::Effort result;
  if (schedule::is_rooted(problem.task.collective)) result.steps *= 2;
  if (!problem.failed.empty()) result.steps *= 4;
  return result;
}

std::vector<Candidate> predicted(const Problem& problem, std::vector<Entrant>& field, std::uint64_t bytes,
                                 const cost::Machine& machine, bool fixed_parts, Detail detail) {
  std::vector<Runner> runners;
  double least = std::numeric_limits<double>::infinity();
  const std::vector<std::size_t> order = likeliest_first(field, bytes);
  if (order.empty()) refuse_all(problem);
  for (const std::size_t i : order) {
    Candidate candidate =
        fixed_parts ? field[i].as_given(bytes, machine) : field[i].fastest_below(least, bytes, machine);
    const bool leads = !candidate.at_least && candidate.prediction.seconds < least;
    if (leads && !field[i].may_win()) continue;
    if (leads && detail == Detail::winner) least = candidate.prediction.seconds;
    runners.push_back({std::move(candidate), &field[i]});
  }
  if (fixed_parts) {
    sort_by_time(runners);
  } else {
    follow(runners, std::numeric_limits<double>::infinity(), bytes, machine, effort(problem));
  }
  if (runners.empty())
    throw Error("no candidate adds the contributions in the same order on all nodes: name one");
  std::vector<Candidate> result;
  for (Runner& runner : runners) result.push_back(std::move(runner.candidate));
  return result;
}

}  // namespace

std::string Candidate::name() const {
  std::string result = algorithm->name();
  if (parameters.digits > 0) result += fmt::format(", radix {}", std::uint64_t{1} << parameters.digits);
  if (parameters.radius > 0) result += fmt::format(", radius {}", parameters.radius);
  if (!parameters.cut.order.empty()) result += ", " + algorithm::in_words(parameters.cut);
  if (parameters.levels) result += ", " + to_string(*parameters.levels);
  if (parameters.send_order.nearest_first) result += ", nearest first";
  if (parameters.send_order.last_port_first) result += ", last port first";
  if (problem.aggregation == unbounded) result += ", aggregated";
  return result;
}

bool Candidate::over_overlay() const {
  return algorithm->sends_far(problem, parameters);
}

Choice choose_for(const Problem& problem, std::uint64_t bytes, const cost::Machine& machine,
                  const Preferences& preferences, Fixed fixed, Detail detail) {
  bytes = checked_bytes(problem, bytes, machine);
  const bool is_cut = fixed.parts && problem.task.parts > 1;
  const FarMessages far = is_cut ? FarMessages::none : far_messages(machine);
  const TimeBounds bounds(problem, machine);
  auto field = entrants(problem, preferences, fixed.aggregation, far, bounds.rounds_a_part());
  return {.problem = problem,
          .bytes = bytes,
          .block_bytes = block_bytes_of(problem, bytes),
          .machine = machine,
          .candidates = predicted(problem, field, bytes, machine, fixed.parts, detail),
          .bound = bounds.at(bytes)};
}

TimeBound time_bound_for(const Problem& problem, std::uint64_t bytes, const cost::Machine& machine) {
  bytes = checked_bytes(problem, bytes, machine);
  return TimeBounds(problem, machine).at(bytes);
}

schedule::Plan make_plan(const Candidate& candidate) {
  return make_plan(candidate.problem, *candidate.algorithm, candidate.parameters);
}

}  // namespace isotrope::planner

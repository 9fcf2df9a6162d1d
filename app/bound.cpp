// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope bound: the lower bounds on the rounds of every schedule, with reasons; for a size on a machine also that on the
// seconds; of blocks of unequal sizes, the bytes that some link must carry.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/bound/listed_problem.hpp"
#include "isotrope/bound/lower_bounds.hpp"
#include "isotrope/bound/work.hpp"

#include "isotrope/planner/bound_words.hpp"
#include "isotrope/planner/choice.hpp"

#include "app/commands.hpp"
#include "app/counts.hpp"
#include "app/describe.hpp"
#include "app/machine.hpp"
#include "app/output.hpp"
#include "app/payload.hpp"
#include "app/progress.hpp"
#include "app/subject.hpp"

namespace isotrope::app {
namespace {

// A problem, from a plan file or from the options, with its bounds.
struct BoundedProblem {
  schedule::Problem problem;
  std::vector<schedule::Bound> bounds;
};

BoundedProblem bounded(const BoundOptions& options) {
  if (names_a_plan_file(options)) {
    const schedule::Plan plan = chosen_plan_file(options);
    if (plan.overlay && options.bytes)
      throw Error(
          fmt::format("--bytes beside {}: the bound in seconds is for messages between neighbours, and this "
                      "plan routes messages; leave --bytes out",
                      options.subject));
    return {problem_of(plan), bound::listed_bounds(plan)};
  }
  schedule::Problem problem = chosen_problem(options);
  planner::require_solvable(problem);
  std::vector<schedule::Bound> bounds = bound::lower_bounds(problem);
  return {std::move(problem), std::move(bounds)};
}

// The bound in seconds, of --bytes.
struct BoundedTime {
  std::uint64_t bytes;
  cost::Machine machine;
  planner::TimeBound bound;
};

std::optional<BoundedTime> bounded_time(const BoundOptions& options, const schedule::Problem& problem) {
  if (!options.bytes) return std::nullopt;
  const cost::Machine machine =
      chosen_machine(options, options, problem.ports, {problem.network, problem.failed});
  return BoundedTime{*options.bytes, machine, planner::time_bound_for(problem, *options.bytes, machine)};
}

std::string time_in_words(const BoundedTime& time, const schedule::Problem& problem) {
  const planner::DisplayUnit unit = planner::unit_for(time.bound.seconds);
  return line("size", payload_in_words(problem.task, time.bytes)) + line("machine", in_words(time.machine)) +
         planner::bound_in_words(time.bound, unit) +
         planner::costs_in_words({problem, time.bytes, time.machine, time.bound}, unit);
}

// Bytes know no packets, and leave every node over all its links.
void refuse_beside_counts(const BoundOptions& options) {
  const auto refuse = [](bool is_given, const char* option) {
    if (is_given)
      throw Error(fmt::format("{} beside --counts: the bound counts bytes over all ports; leave {} out",
                              option, option));
  };
  refuse(!options.ports.empty() && options.ports != "all", "--ports");
  refuse(options.parts.has_value(), "--parts");
  refuse(options.merge.has_value(), "--merge");
}

int bound_counts(const BoundOptions& options) {
  refuse_beside_counts(options);
  const Counts counts = chosen_counts(options);
  planner::require_solvable({.network = counts.network, .failed = counts.failed});
  Json facts = facts_of(counts);
  facts["network"] = counts.network.name();
  print_or_write(options, options.json ? answer("bound", facts)
                                       : fmt::format("{} on {}\n", counts.collective, counts.network.name()) +
                                             in_words(counts));
  return 0;
}

}  // namespace

int bound_command(const BoundOptions& options) {
  if (!options.counts.empty() && !names_a_plan_file(options)) return bound_counts(options);
  std::optional<ElapsedProgress> progress(std::in_place, "bounding");
  const auto [problem, bounds] = bounded(options);
  const std::uint64_t transmissions = bound::least_transmissions(problem);  // 0: unknown
  const std::optional<BoundedTime> time = bounded_time(options, problem);
  progress.reset();
  if (options.json) {
    Json facts = facts_of(problem);
    if (transmissions > 0) facts["transmissions"] = transmissions;
    Json list = Json::array();
    for (const auto& [kind, value, because, weights] : bounds)
      list.push_back({{"kind", kind}, {"value", value}, {"because", because}});
    if (!bounds.empty()) facts["bound"] = std::as_const(list)[0];
    facts["bounds"] = std::move(list);
    if (time) {
      facts["bytes"] = time->bytes;
      facts["time_bound"] = facts_of(time->bound);
    }
    print_or_write(options, answer("bound", facts));
    return 0;
  }
  const std::string sent = transmissions > 0 ? fmt::format(" and {} transmissions", transmissions) : "";
  std::string text = heading(problem) + ": " +
                     (bounds.empty() ? "no lower bound is known\n"
                                     : fmt::format("at least {} rounds{}\n", bounds.front().value, sent));
  for (const schedule::Bound& bound : bounds) {
    text += line(bound.kind, fmt::format("{:>8}  {}", bound.value, bound.because));
  }
  text += time ? time_in_words(*time, problem) : line_of_link_classes(problem, options);
  print_or_write(options, text);
  return 0;
}

}  // namespace isotrope::app

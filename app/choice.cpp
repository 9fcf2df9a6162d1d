// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/choice.hpp"

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "app/machine.hpp"
#include "app/payload.hpp"

namespace isotrope::app {
namespace {

using Clock = std::chrono::steady_clock;

void refuse_plan_file(const PlanOptions& options) {
  if (!names_a_plan_file(options)) return;
  const char* const given = options.explain            ? "--explain"
                            : names_a_machine(options) ? "a machine"
                                                       : "--bytes";
  throw Error(fmt::format("{} beside the plan file {}: a plan is chosen for a network and a collective",
                          given, options.subject));
}

Json in_json(const planner::Candidate& candidate) {
  const planner::Prediction& prediction = candidate.prediction;
  Json facts{{"algorithm", candidate.algorithm->name()},
             {"aggregated", candidate.problem.aggregated()},
             {"seconds", prediction.seconds}};
  if (candidate.at_least) {
    facts["at_least"] = true;
    return facts;
  }
  if (candidate.parameters.digits > 0) facts["radix"] = std::uint64_t{1} << candidate.parameters.digits;
  facts["segments"] = prediction.segments;
  facts["rounds"] = prediction.rounds;
  if (prediction.window > 1) facts["window"] = prediction.window;
  facts["link_bytes"] = prediction.link_bytes;
  facts["startup_s"] = prediction.startup_s;
  facts["overhead_s"] = prediction.overhead_s;
  facts["transfer_s"] = prediction.transfer_s;
  return facts;
}

}  // namespace

ChosenPlan chosen_by_size(const PlanOptions& given) {
  refuse_plan_file(given);
  PlanOptions options = given;
  take_ports_of_machine(options, options);
  const schedule::Problem problem = chosen_problem(options);
  cost::Machine preset = cluster();
  preset.ports = problem.ports;
  const cost::Machine machine = chosen_machine(options, preset, options.ports);
  const planner::Fixed fixed{.parts = options.parts.has_value() || options.packet.has_value(),
                             .aggregation = options.merge.has_value() || options.packet.has_value()};
  const planner::Detail detail = options.explain ? planner::Detail::all : planner::Detail::winner;

  const auto start = Clock::now();
  planner::Choice choice =
      choose_for(problem, *options.bytes, machine, chosen_preferences(options), fixed, detail);
  schedule::Plan plan = make_plan(choice.best());
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return {{std::move(plan), choice.best().algorithm->name(), seconds, 0}, std::move(choice)};
}

std::string choice_in_words(const PlanOptions& options, const planner::Choice& choice) {
  const planner::Prediction& best = choice.best().prediction;
  std::string text = line("machine", in_words(choice.machine)) +
                     line("predicted", fmt::format("{} for {}, {}", format_seconds(best.seconds),
                                                   payload_in_words(choice.problem.task, *options.bytes),
                                                   best.window > 1 ? "pipelined" : "round-synchronous"));
  return options.explain ? text + "\n" + explain(choice) : text;
}

void add_choice(Json& facts, const PlanOptions& options, const planner::Choice& choice) {
  facts["bytes"] = *options.bytes;
  facts["block_bytes"] = choice.block_bytes;
  facts["predicted_s"] = choice.best().prediction.seconds;
  if (!options.explain) return;
  for (const planner::Candidate& candidate : choice.candidates)
    facts["candidates"].push_back(in_json(candidate));
  facts["time_bound"] = {{"seconds", choice.bound.seconds},
                         {"rounds", choice.bound.rounds},
                         {"rounds_because", choice.bound.rounds_because},
                         {"link_bytes", choice.bound.bytes},
                         {"link_bytes_because", choice.bound.bytes_because}};
}

}  // namespace isotrope::app

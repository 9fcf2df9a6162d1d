// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/choice.hpp"

#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "isotrope/base/error.hpp"

#include "app/machine.hpp"
#include "app/size.hpp"

namespace isotrope::app {
namespace {

using Clock = std::chrono::steady_clock;

void refuse_plan_file(const Options& options) {
  if (!names_a_plan_file(options)) return;
  throw Error(fmt::format("{} beside the plan file {}: a plan is chosen for a network and a collective",
                          options.explain ? "--explain" : "a machine", options.subject));
}

Json in_json(const planner::Candidate& candidate) {
  const planner::Prediction& prediction = candidate.prediction;
  Json facts{{"algorithm", candidate.request.algorithm},
             {"merged", candidate.request.merge > 1},
             {"seconds", prediction.seconds}};
  if (candidate.at_least) {
    facts["at_least"] = true;
    return facts;
  }
  facts["packets"] = prediction.packets;
  facts["rounds"] = prediction.rounds;
  if (prediction.in_flight > 1) facts["in_flight"] = prediction.in_flight;
  facts["link_bytes"] = prediction.link_bytes;
  facts["startup_s"] = prediction.startup_s;
  facts["overhead_s"] = prediction.overhead_s;
  facts["transfer_s"] = prediction.transfer_s;
  return facts;
}

}  // namespace

bool asks_for_choice(const Options& options) {
  return options.explain || names_a_machine(options);
}

ChosenPlan chosen_by_size(const Options& given) {
  refuse_plan_file(given);
  const std::uint64_t bytes = chosen_bytes(given);
  const Options options = with_ports_of_machine(given);
  const planner::Request request = chosen_request(options);
  cost::Machine preset = cluster();
  preset.ports = request.ports;
  const cost::Machine machine = chosen_machine(options, preset);
  const planner::Fixed fixed{.parts = !options.parts.empty() || !options.packet.empty(),
                             .merge = !options.merge.empty() || !options.packet.empty()};
  const planner::Detail detail = options.explain ? planner::Detail::all : planner::Detail::winner;

  const auto start = Clock::now();
  planner::Choice choice = choose_for(request, bytes, machine, fixed, detail);
  schedule::Plan plan = make_plan(choice.best());
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return {{std::move(plan), choice.best().request.algorithm, seconds, 0}, std::move(choice)};
}

std::string choice_in_words(const Options& options, const planner::Choice& choice) {
  const planner::Prediction& best = choice.best().prediction;
  std::string text = line("machine", in_words(choice.machine)) +
                     line("predicted", fmt::format("{} for blocks of {}, {}", format_seconds(best.seconds),
                                                   format_size(choice.block_bytes),
                                                   best.in_flight > 1 ? "ahead of rounds" : "in lock step"));
  return options.explain ? text + "\n" + explain(choice) : text;
}

void add_choice(Json& facts, const Options& options, const planner::Choice& choice) {
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

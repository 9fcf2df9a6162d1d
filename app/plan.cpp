// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope plan: makes a plan, verifies it, writes it to a file. With --bytes the plan is the fastest for that size
// on the machine of the options, or on cost::cluster(); so it is with --counts, for the packets of the blocks. Without, it is the
// one with the fewest rounds.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/cost/completion.hpp"

#include "isotrope/io/machine_network.hpp"

#include "isotrope/planner/choice.hpp"
#include "isotrope/planner/node_levels.hpp"
#include "isotrope/planner/rate_slots.hpp"

#include "app/commands.hpp"
#include "app/counts.hpp"
#include "app/describe.hpp"
#include "app/machine.hpp"
#include "app/output.hpp"
#include "app/own_plans.hpp"
#include "app/payload.hpp"
#include "app/progress.hpp"
#include "app/subject.hpp"
#include "app/values.hpp"

namespace isotrope::app {
namespace {

using Clock = std::chrono::steady_clock;

void refuse_plan_file(const PlanOptions& options) {
  if (!names_a_plan_file(options)) return;
  const char* const given = options.explain                                    ? "--explain"
                            : names_times(options) || !options.machine.empty() ? "a machine"
                            : options.counts.empty()                           ? "--bytes"
                                                                               : "--counts";
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
  if (prediction.chains > 1) facts["chains"] = prediction.chains;
  if (const auto& shares = candidate.parameters.shares; !shares.empty()) facts["shares"] = shares;
  facts["link_bytes"] = prediction.link_bytes;
  facts["startup_s"] = prediction.startup_s;
  facts["overhead_s"] = prediction.overhead_s;
  facts["transfer_s"] = prediction.transfer_s;
  return facts;
}

struct SizedPlan {
  Subject subject;
  planner::Choice choice;
  std::uint64_t bytes;           // of --bytes, or of a packet of --counts
  std::optional<Counts> counts;  // of --counts
};

// The choice for the size of --bytes, or for packets of --counts, and its plan, not yet verified. Parts, aggregation, order and
// algorithm that options give stay. The machine is that of the options, or cost::cluster().
SizedPlan chosen_by_size(const PlanOptions& options) {
  take_own_plans();
  refuse_plan_file(options);
  std::optional<Counts> counts;
  if (!options.counts.empty()) counts = chosen_counts(options);
  const schedule::Problem problem = counts ? problem_of(*counts, options) : chosen_problem(options);
  const std::uint64_t bytes = counts ? packet_of(*counts, options) : *options.bytes;
  const cost::Machine machine =
      chosen_machine(options, options, problem.ports, {problem.network, problem.failed});
  const planner::Fixed fixed{.parts = options.parts || options.packet || counts,
                             .aggregation = options.merge.has_value() || options.packet.has_value()};
  const planner::Detail detail = options.explain ? planner::Detail::all : planner::Detail::winner;

  planner::Preferences preferences = chosen_preferences(options);
  preferences.associative = options.associative;

  const auto start = Clock::now();
  const ElapsedProgress progress("planning");
  planner::Choice choice = choose_with_rate_slots(problem, bytes, machine, preferences, fixed, detail);
  schedule::Plan plan = make_plan(choice.best());
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  Subject subject{std::move(plan), choice.best().algorithm->name(), seconds, 0};
  return {std::move(subject), std::move(choice), bytes, std::move(counts)};
}

bool has_link_classes(const planner::Choice& choice) {
  return choice.machine.link_class_count > 0 || !choice.problem.failed.edge_times.empty();
}

// Nothing of messages that pass nodes, or share a link while they start: completion follows them one by one from neighbour to
// neighbour.
std::optional<double> completion_of(const schedule::Plan& plan, const planner::Choice& choice) {
  if (plan.overlay || choice.best().prediction.window > 1) return std::nullopt;
  const auto load =
      cost::Workload::in_parts(std::max<std::uint64_t>(choice.best().block_bytes, 1), plan.task.parts);
  return complete(plan, choice.machine, load).completion_s;
}

// With link classes: when the last message ends, and how far the prediction is from the bound on messages between neighbours.
std::string times_by_class(const schedule::Plan& plan, const planner::Choice& choice) {
  if (!has_link_classes(choice) || plan.overlay) return "";
  const planner::TimeBound& bound = choice.bound;
  const std::string above = bound.seconds > 0 && bound.knows_bytes
                                ? fmt::format(": the prediction is {:.2f} times as long",
                                              choice.best().prediction.seconds / bound.seconds)
                                : "";
  const std::optional<double> completion = completion_of(plan, choice);
  return (completion
              ? line("completion", fmt::format("{}: every message starts as soon as its data and ports allow",
                                               format_seconds(*completion)))
              : "") +
         line("time bound", format_seconds(bound.seconds) + above);
}

// With several ranks a node.
std::optional<planner::NodeLevels> levels_of(const PlanOptions& options, const planner::Choice& choice) {
  const std::uint32_t ranks = ranks_per_node(options);
  if (ranks == 1 || !options.explain || !options.counts.empty()) return std::nullopt;
  cost::Machine preset = cost::cluster();
  preset.ports = choice.problem.ports;
  return planner::NodeLevels{chosen_nodes(options), ranks,
                             chosen_machine(options, options, preset, options.ports),
                             io::memory_of_machine(machine_file(options.machine).nodes)};
}

Json in_json(const planner::StagedWay& way) {
  Json result{{"name", way.name}, {"seconds", way.seconds()}, {"stages", Json::array()}};
  for (const planner::Stage& stage : way.stages)
    result["stages"].push_back({{"what", stage.what}, {"seconds", stage.seconds}});
  return result;
}

const char* execution_in_words(const planner::Candidate& candidate) {
  if (!candidate.parameters.shares.empty()) return "in shares";
  if (candidate.prediction.window > 1) return "pipelined";
  if (candidate.prediction.chains > 1) return "in chains";
  return candidate.prediction.is_followed ? "message by message" : "round-synchronous";
}

// Lines with the machine, the size and the predicted time; with --explain also the whole of explain().
std::string choice_in_words(const SizedPlan& made, const PlanOptions& options) {
  const planner::Choice& choice = made.choice;
  const planner::Prediction& best = choice.best().prediction;
  const std::string payload = made.counts ? fmt::format("packets of {}", format_size(made.bytes))
                                          : payload_in_words(choice.problem.task, made.bytes);
  std::string text = (made.counts ? in_words(*made.counts) : "") + line("machine", in_words(choice.machine)) +
                     line("predicted", fmt::format("{} for {}, {}", format_seconds(best.seconds), payload,
                                                   execution_in_words(choice.best()))) +
                     times_by_class(made.subject.plan, choice);
  if (!options.explain) return text;
  text += '\n';
  text += explain(choice);
  const auto levels = levels_of(options, choice);
  return levels ? text + explain_levels(*levels, choice) : text;
}

// Adds the prediction; with --explain also candidates and bound.
void add_choice(Json& facts, const SizedPlan& made, const PlanOptions& options) {
  const planner::Choice& choice = made.choice;
  if (made.counts) facts["counts"] = facts_of(*made.counts);
  facts["bytes"] = made.bytes;
  facts["block_bytes"] = choice.block_bytes;
  facts["predicted_s"] = choice.best().prediction.seconds;
  if (has_link_classes(choice)) {
    if (const auto completion = completion_of(made.subject.plan, choice)) facts["completion_s"] = *completion;
  }
  if (has_link_classes(choice) || options.explain) facts["time_bound"] = facts_of(choice.bound);
  if (!options.explain) return;
  for (const planner::Candidate& candidate : choice.candidates)
    facts["candidates"].push_back(in_json(candidate));
  if (const auto levels = levels_of(options, choice)) {
    for (const planner::StagedWay& way : staged_ways(*levels, choice.problem.task.collective, choice.bytes)) {
      if (!way.stages.empty()) facts["staged_ways"].push_back(in_json(way));
    }
  }
}

}  // namespace

int plan_command(const PlanOptions& options) {
  std::optional<SizedPlan> sized;
  std::optional<Subject> unsized;
  if (options.bytes || !options.counts.empty()) {
    sized = chosen_by_size(options);
  } else {
    unsized = chosen_plan(options);
  }
  Subject& subject = sized ? sized->subject : *unsized;
  const verify::Report report = verified(subject);
  if (report.valid) write_chosen_plan(options, subject.plan);
  const bool written = report.valid && !options.output.empty();
  if (options.json) {
    Json facts = findings(subject, report);
    if (sized) add_choice(facts, *sized, options);
    facts["seconds"] = subject.seconds;
    facts["verify_seconds"] = subject.verify_seconds;
    if (written) facts["file"] = options.output;
    print(answer("plan", facts));
  } else {
    print(findings_in_words(subject, report) +
          line("time", fmt::format("planned in {}, verified in {}", format_seconds(subject.seconds),
                                   format_seconds(subject.verify_seconds))) +
          (written ? line("written to", options.output) : "") +
          (sized ? choice_in_words(*sized, options) : ""));
  }
  return report.valid ? 0 : 1;
}

}  // namespace isotrope::app

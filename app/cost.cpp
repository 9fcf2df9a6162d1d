// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope cost: how long a plan takes on a machine, round-synchronous and message by message.
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "isotrope/cost/completion.hpp"
#include "isotrope/cost/link_times.hpp"
#include "isotrope/cost/round_time.hpp"

#include "isotrope/planner/time_bound.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/machine.hpp"
#include "app/output.hpp"
#include "app/payload.hpp"
#include "app/progress.hpp"
#include "app/values.hpp"

namespace isotrope::app {
namespace {

// Packets of --packet if they cut the plan's blocks into its parts, else equal parts.
cost::Workload workload(const CostOptions& options, const schedule::Plan& plan) {
  const std::uint64_t block = block_bytes(*options.bytes, blocks_in_count(plan));
  const std::uint64_t packet = options.packet.value_or(block);
  const bool cuts = packet < block && (block + packet - 1) / packet == plan.task.parts;
  return cuts ? cost::Workload{block, packet} : cost::Workload::in_parts(block, plan.task.parts);
}

// Of links of several classes, whose bound in seconds is not to be seen from the rounds.
std::optional<double> bound_of_unlike_links(const schedule::Plan& plan, const cost::Machine& machine,
                                            std::uint64_t bytes) {
  const schedule::Problem problem = problem_of(plan);
  if (plan.overlay || cost::LinkTimes(problem.network, problem.failed, machine).alike()) return std::nullopt;
  return planner::TimeBounds(problem, machine).at(bytes).seconds;
}

}  // namespace

int cost_command(const CostOptions& options) {
  Subject subject = chosen_plan(options);
  const cost::Machine machine = chosen_machine(options, options, subject.plan.schedule.ports,
                                               {subject.plan.network, subject.plan.failed});
  check(machine, subject.plan.network.degree());
  const verify::Report report = verified(subject);
  if (!report.valid) {
    print_findings("cost", options, subject, report);
    return 1;
  }
  const cost::Workload load = workload(options, subject.plan);
  const double synchronous = round_time(subject.plan, machine, load);
  const cost::Completion completion = [&] {
    Progress progress("simulating");
    return complete(subject.plan, machine, load, {.visit = {}, .progress = progress.callback()});
  }();
  const std::optional<double> bound = bound_of_unlike_links(subject.plan, machine, *options.bytes);
  write_chosen_plan(options, subject.plan);

  if (options.json) {
    Json facts = facts_of(subject);
    facts.update({{"rounds", report.rounds},
                  {"bytes", *options.bytes},
                  {"block_bytes", load.block_bytes},
                  {"packet_bytes", load.packet_bytes},
                  {"startup_s", machine.startup_s},
                  {"byte_time_s", machine.byte_time_s},
                  {"internal_packet", machine.internal_packet},
                  {"overlap", machine.overlap},
                  {"overhead_s", machine.overhead_s},
                  {"overhead_byte_s", machine.overhead_byte_s},
                  {"round_synchronous_s", synchronous},
                  {"completion_s", completion.completion_s},
                  {"messages", completion.messages},
                  {"startups", completion.startups},
                  {"bytes_sent", completion.bytes}});
    if (bound) facts["bound_s"] = *bound;
    print(answer("cost", facts));
    return 0;
  }
  print(headline(subject) + line("machine", in_words(machine)) +
        line("size", fmt::format("{}, in packets of {}", payload_in_words(subject.plan.task, *options.bytes),
                                 format_size(load.packet_bytes))) +
        line("messages", fmt::format("{} with {} start-ups, {} in total", completion.messages,
                                     completion.startups, format_size(completion.bytes))) +
        line("synchronous", fmt::format("{}: {} rounds, each as long as its longest message",
                                        format_seconds(synchronous), report.rounds)) +
        line("completion", fmt::format("{}: every message starts as soon as its data and ports allow",
                                       format_seconds(completion.completion_s))) +
        (bound ? line("time bound",
                      fmt::format("{}: no round-synchronous schedule takes less", format_seconds(*bound)))
               : ""));
  return 0;
}

}  // namespace isotrope::app

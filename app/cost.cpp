// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope cost: how long a plan takes on a machine, round by round in lock step and message by message.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "isotrope/cost/completion.hpp"
#include "isotrope/cost/round_time.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/machine.hpp"
#include "app/progress.hpp"
#include "app/size.hpp"

namespace isotrope::app {
namespace {

// Packets of --packet where it cuts blocks, else equal parts.
cost::Workload workload(const Options& options, const schedule::Plan& plan) {
  const std::uint64_t block = chosen_bytes(options);
  const std::uint64_t packet = options.packet.empty() ? block : parse_size(options.packet);
  if (packet < block) return {block, packet};
  return cost::Workload::in_parts(block, plan.task.parts);
}

}  // namespace

int cost_command(const Options& given) {
  chosen_bytes(given);  // before the work of planning
  const Options options = with_ports_of_machine(given);
  Subject subject = chosen_plan(options);
  cost::Machine preset = cluster();
  preset.ports = subject.plan.schedule.ports;
  const cost::Machine machine = chosen_machine(options, preset);
  check(machine, subject.plan.network.degree());
  const verify::Report report = verified(subject);
  if (!report.valid) {
    fmt::print("{}{}", headline(subject), findings_in_words(subject, report));
    return 1;
  }
  const cost::Workload load = workload(options, subject.plan);
  const double lock_step = round_time(subject.plan, machine, load);
  const cost::Completion completion = [&] {
    Progress progress("simulating");
    return complete(subject.plan, machine, load, {.visit = {}, .progress = progress.callback()});
  }();
  write_chosen_plan(options, subject.plan);

  if (options.json) {
    Json facts = facts_of(subject);
    facts["rounds"] = report.rounds;
    facts["block_bytes"] = load.block_bytes;
    facts["packet_bytes"] = load.packet_bytes;
    facts["startup_s"] = machine.startup_s;
    facts["byte_time_s"] = machine.byte_time_s;
    facts["internal_packet"] = machine.internal_packet;
    facts["overlap"] = machine.overlap;
    facts["overhead_s"] = machine.overhead_s;
    facts["overhead_byte_s"] = machine.overhead_byte_s;
    facts["lock_step_s"] = lock_step;
    facts["completion_s"] = completion.completion_s;
    facts["messages"] = completion.messages;
    facts["startups"] = completion.startups;
    facts["bytes"] = completion.bytes;
    fmt::print("{}", dump(facts));
    return 0;
  }
  fmt::print("{}{}{}{}{}{}", headline(subject), line("machine", in_words(machine)),
             line("packets", fmt::format("blocks of {} in packets of {}", format_size(load.block_bytes),
                                         format_size(load.packet_bytes))),
             line("messages", fmt::format("{} with {} start-ups, {} in all", completion.messages,
                                          completion.startups, format_size(completion.bytes))),
             line("lock step", fmt::format("{}: {} rounds, each as long as its longest message",
                                           format_seconds(lock_step), report.rounds)),
             line("completion", fmt::format("{}: every message as soon as it can",
                                            format_seconds(completion.completion_s))));
  return 0;
}

}  // namespace isotrope::app

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/round_time.hpp"

#include <algorithm>

#include "isotrope/schedule/packets.hpp"

#include "isotrope/cost/plan_check.hpp"
#include "isotrope/cost/round_messages.hpp"

namespace isotrope::cost {
namespace {

double stage_time(const schedule::Plan& plan, const schedule::Stage& stage, const Machine& machine,
                  const Workload& workload, const LinkTimes& times) {
  const schedule::Packets packets(plan.network, plan.task, stage);
  StageRounds rounds(plan.network, plan.schedule.round_kind, stage, times);
  double time = 0;
  rounds.each(PacketBytes(packets, workload, plan.task.parts), [&](const RoundLoad& load) {
    double message = load.classes.empty() ? machine.message_time(load.packets) : 0;
    for (const auto& [link_class, bytes] : load.classes)
      message = std::max(message, times.message_time(link_class, bytes));
    time += machine.overhead(load.messages, load.sent) + message + machine.receive_overhead(load.received);
  });
  return time;
}

}  // namespace

double round_time(const schedule::Plan& plan, const Machine& machine, const Workload& workload) {
  check(machine, plan.network.degree());
  check(plan, workload);
  const LinkTimes times(plan.network, plan.failed, machine);
  double time = 0;
  for (const schedule::Stage& stage : plan.schedule.stages)
    time += stage_time(plan, stage, machine, workload, times);
  return time;
}

}  // namespace isotrope::cost

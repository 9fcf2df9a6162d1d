// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/simulate/round_time.hpp"

#include <algorithm>

#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/packets.hpp"

#include "isotrope/simulate/packet_bytes.hpp"
#include "isotrope/simulate/plan_check.hpp"
#include "isotrope/simulate/round_messages.hpp"

namespace isotrope::simulate {
namespace {

double stage_time(const schedule::Plan& plan, const schedule::Stage& stage, const Machine& machine,
                  const Workload& workload) {
  const schedule::Packets packets(plan.network, plan.task, stage);
  const PacketBytes bytes(packets, workload, plan.task.parts);
  const schedule::NodeClasses classes(plan.network.group(), stage.replication);
  const std::uint64_t degree = plan.network.degree();
  RoundMessages messages(plan.schedule.round_kind, classes.count() * degree);
  double time = 0;
  for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
    messages.begin_round();
    std::uint64_t most = 0;
    for (const schedule::Hop& hop : stage.rounds.round(t)) {
      const std::uint64_t link = classes.of(hop.from) * degree + hop.port;
      most = std::max(most, messages.add(hop, link, bytes(hop.packet)).bytes);
    }
    if (!messages.all().empty()) time += machine.message_time(most);
  }
  return time;
}

}  // namespace

double round_time(const schedule::Plan& plan, const Machine& machine, const Workload& workload) {
  check(machine, plan.network.degree());
  check(plan, workload);
  double time = 0;
  for (const schedule::Stage& stage : plan.schedule.stages)
    time += stage_time(plan, stage, machine, workload);
  return time;
}

}  // namespace isotrope::simulate

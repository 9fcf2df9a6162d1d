// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/plan_check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/packets.hpp"

namespace isotrope::cost {
namespace {

using schedule::Plan;

void require_chain(const Plan& plan) {
  const std::vector<schedule::Stage>& stages = plan.schedule.stages;
  for (std::size_t s = 1; s < stages.size(); ++s) {
    const schedule::Packets before(plan.network, plan.task, stages[s - 1]),
        after(plan.network, plan.task, stages[s]);
    if (stages[s].replication == stages[s - 1].replication && before.size() == after.size()) continue;
    throw Error(
        fmt::format("stage {} has another replication or other packets than the stage before: give a valid "
                    "plan (verify it first)",
                    s));
  }
}

void require_origins(const Plan& plan, std::size_t number) {
  const schedule::Node nodes = plan.network.order();
  schedule::Node stray = plan.task.root;
  for (const schedule::Packet& packet : plan.schedule.stages[number].packets) {
    if (packet.origin >= nodes) stray = packet.origin;
  }
  if (stray < nodes) return;
  throw Error(
      fmt::format("stage {}: packets begin at node {}, outside {} nodes: give a valid plan (verify it first)",
                  number, stray, nodes));
}

void require_hops(const Plan& plan, std::size_t number) {
  const schedule::Stage& stage = plan.schedule.stages[number];
  const std::uint64_t packets = schedule::Packets(plan.network, plan.task, stage).size();
  const std::uint64_t nodes = plan.network.order(), ports = plan.network.degree();
  const auto hops = stage.rounds.hops();
  const auto stray = std::ranges::find_if(hops, [&](const schedule::Hop& hop) {
    return hop.packet >= packets || hop.from >= nodes || hop.port >= ports;
  });
  if (stray == hops.end()) return;
  throw Error(fmt::format(
      "stage {}: the hop of packet {} from node {} over port {} lies outside {} packets, {} nodes "
      "and {} ports: give a valid plan (verify it first)",
      number, stray->packet, stray->from, stray->port, packets, nodes, ports));
}

void require_countable(const Plan& plan, const Workload& workload) {
  if (plan.schedule.stages.empty()) return;
  const schedule::NodeClasses classes(plan.network.group(), plan.schedule.stages[0].replication);
  const std::uint64_t most = (std::uint64_t{1} << 63) / workload.packet_bytes;
  if (plan.schedule.hop_count() <= most / classes.size()) return;
  throw Error(
      fmt::format("{} hops, each for {} nodes, in packets of {} bytes are more bytes than can be counted: "
                  "give smaller blocks",
                  plan.schedule.hop_count(), classes.size(), workload.packet_bytes));
}

}  // namespace

void check(const Plan& plan, const Workload& workload) {
  if (plan.overlay) {
    throw Error(
        "the plan sends messages to nodes that are no neighbours, and its times follow messages from "
        "neighbour to "
        "neighbour: `isotrope plan --bytes B --explain` predicts the time of such a plan");
  }
  check(workload, plan.task);
  require_chain(plan);
  for (std::size_t s = 0; s < plan.schedule.stages.size(); ++s) {
    require_origins(plan, s);
    require_hops(plan, s);
  }
  require_countable(plan, workload);
}

}  // namespace isotrope::cost

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/packets.hpp"

#include "isotrope/verify/structure.hpp"
#include "isotrope/verify/verify.hpp"

namespace isotrope::verify {
namespace {

using schedule::Hop;
using schedule::NodeClasses;
using schedule::Packet;
using schedule::Replication;
using schedule::Stage;

// The translations of a stage: the class of 0.
std::vector<Node> translations(const NodeClasses& classes, Node order) {
  std::vector<Node> result;
  for (Node g = 0; g < order; ++g) {
    if (classes.of(g) == classes.of(0)) result.push_back(g);
  }
  return result;
}

Stage expand(const Plan& plan, const Stage& stage) {
  if (stage.replication.kind == Replication::Kind::none) return stage;
  const auto& group = plan.network.group();
  const std::vector<Node> shifts =
      translations(NodeClasses(plan.network.group(), stage.replication), plan.network.order());
  const schedule::Packets packets(plan.network, plan.task, stage);
  Stage result{stage.flow, Replication::none(), {}, {}};
  for (PacketId p = 0; p < packets.size(); ++p) {
    const Packet packet = packets[p];
    for (Node g : shifts) {
      const Node to = packet.to == schedule::to_all ? packet.to : group.add(packet.to, g);
      result.packets.push_back({group.add(packet.origin, g), to, packet.block, packet.part});
    }
  }
  for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
    for (const Hop& hop : stage.rounds.round(t)) {
      const auto first = static_cast<PacketId>(hop.packet * shifts.size());
      for (PacketId i = 0; i < shifts.size(); ++i) {
        result.rounds.add({first + i, group.add(hop.from, shifts[i]), hop.port});
      }
    }
    result.rounds.close_round();
  }
  return result;
}

}  // namespace

Plan expand(const Plan& plan) {
  constexpr std::uint64_t most_hops = std::uint64_t{1} << 28;
  if (plan.schedule.hop_count() > most_hops / plan.network.order()) {
    throw Error(fmt::format("{} hops on {} nodes are too many to write out: at most {} in all",
                            plan.schedule.hop_count(), plan.network.order(), most_hops));
  }
  Plan result = plan;
  for (Stage& stage : result.schedule.stages) stage = expand(plan, stage);
  result.claims.hops = result.schedule.hop_count();
  return result;
}

}  // namespace isotrope::verify

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/sizes.hpp"

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/packets.hpp"

#include "isotrope/rank/reduced_blocks.hpp"

namespace isotrope::exports {
namespace {

using schedule::Collective;
using schedule::Flow;
using schedule::Packet;
using schedule::Stage;

rank::Segmentation units_of(const Plan& plan, bool one_vector, std::uint64_t block_bytes) {
  const std::uint32_t parts = plan.task.parts;
  if (plan.task.collective == Collective::barrier) return rank::Segmentation::of_blocks(parts, parts);
  return one_vector ? rank::Segmentation::of_vector(block_bytes, plan.network.order(), parts)
                    : rank::Segmentation::of_blocks(block_bytes, parts);
}

}  // namespace

void require_writable(const Plan& plan) {
  std::uint64_t hops = 0;
  for (const Stage& stage : plan.schedule.stages) {
    const schedule::NodeClasses classes(plan.network.group(), stage.replication);
    hops += stage.rounds.hop_count() * (plan.network.order() / classes.count());
  }
  if (hops <= most_hops) return;
  throw Error(
      fmt::format("a plan of {} hops on {} nodes: at most {} hops are written out; take a smaller "
                  "network or fewer parts",
                  hops, plan.network.order(), most_hops));
}

PacketSizes::PacketSizes(const Plan& plan, std::uint64_t block_bytes)
    : one_vector_(plan.task.collective == Collective::allreduce && rank::reduces_blocks(plan)),
      parts_(plan.task.parts),
      units_(units_of(plan, one_vector_, block_bytes)) {}

std::uint64_t PacketSizes::bytes(Flow flow, const Packet& packet) const {
  const Node block = !one_vector_ ? 0 : flow == Flow::reduce ? packet.to : packet.origin;
  return units_.elements(std::uint64_t{block} * parts_ + packet.part, 1);
}

}  // namespace isotrope::exports

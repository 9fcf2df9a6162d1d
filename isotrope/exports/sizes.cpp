// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/sizes.hpp"

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/packets.hpp"

namespace isotrope::exports {
namespace {

using schedule::Collective;
using schedule::Packet;
using schedule::Stage;

std::optional<rank::VectorSlices> slices_of(const Plan& plan) {
  if (plan.task.collective != Collective::allreduce) return std::nullopt;
  return rank::VectorSlices(plan);
}

rank::Segmentation units_of(const Plan& plan, std::uint32_t slices, std::uint64_t block_bytes) {
  const std::uint32_t parts = plan.task.parts;
  if (plan.task.collective == Collective::barrier) return rank::Segmentation::of_blocks(parts, parts);
  return rank::Segmentation::of_vector(block_bytes, slices, parts);
}

}  // namespace

void require_writable(const Plan& plan) {
  std::uint64_t hops = 0;
  for (const Stage& stage : plan.schedule.stages) {
    const schedule::NodeClasses classes(schedule::hop_network(plan).group(), stage.replication);
    hops += stage.rounds.hop_count() * (plan.network.order() / classes.count());
  }
  if (hops <= most_hops) return;
  throw Error(
      fmt::format("a plan of {} hops on {} nodes: at most {} hops are written out; take a smaller "
                  "network or fewer parts",
                  hops, plan.network.order(), most_hops));
}

PacketSizes::PacketSizes(const Plan& plan, std::uint64_t block_bytes)
    : parts_(plan.task.parts),
      slices_(slices_of(plan)),
      units_(units_of(plan, slices_ ? slices_->count() : 1, block_bytes)) {}

std::uint64_t PacketSizes::bytes(const Packet& packet) const {
  const std::uint64_t slice = slices_ ? slices_->of(packet) : 0;
  return units_.elements(slice * parts_ + packet.part, 1);
}

}  // namespace isotrope::exports

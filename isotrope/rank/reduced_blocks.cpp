// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/rank/reduced_blocks.hpp"

#include "isotrope/schedule/packets.hpp"

namespace isotrope::rank {

bool reduces_blocks(const schedule::Plan& plan) {
  if (plan.schedule.stages.empty()) return false;
  const schedule::Stage& first = plan.schedule.stages.front();
  if (first.flow == schedule::Flow::exchange) return false;
  if (first.replication.kind != schedule::Replication::Kind::none) return true;
  const schedule::Packets packets(plan.network, plan.task, first);
  for (schedule::PacketId p = 1; p < packets.size(); ++p) {
    if (packets[p].to != packets[0].to) return true;
  }
  return false;
}

}  // namespace isotrope::rank

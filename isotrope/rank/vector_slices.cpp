// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/rank/vector_slices.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::rank {

VectorSlices::VectorSlices(const schedule::Plan& plan) {
  if (plan.schedule.stages.empty()) return;
  const schedule::Stage& first = plan.schedule.stages.front();
  if (first.flow == schedule::Flow::exchange) return;
  if (first.replication.kind != schedule::Replication::Kind::none) {
    by_node_ = true;
    count_ = plan.network.order();
    return;
  }
  for (const schedule::Packet& packet : first.packets) names_.emplace_back(packet.origin, packet.block);
  std::ranges::sort(names_);
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
  if (names_.size() <= 1) names_.clear();
  count_ = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(names_.size()));
}

std::uint32_t VectorSlices::of(const schedule::Packet& packet) const {
  if (by_node_) return packet.origin;
  if (names_.empty()) return 0;
  const Name name{packet.origin, packet.block};
  const auto found = std::ranges::lower_bound(names_, name);
  if (found != names_.end() && *found == name) return static_cast<std::uint32_t>(found - names_.begin());
  throw Error(fmt::format(
      "block {} of node {} is not reduced by the first stage: give a valid plan (verify it first)",
      packet.block, packet.origin));
}

std::vector<std::uint32_t> VectorSlices::listed(const schedule::Plan& plan) const {
  std::vector<std::uint32_t> result;
  if (names_.empty()) return result;
  for (const schedule::Packet& packet : plan.schedule.stages.front().packets) result.push_back(of(packet));
  return result;
}

}  // namespace isotrope::rank

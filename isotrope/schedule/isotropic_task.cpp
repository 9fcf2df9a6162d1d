// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/isotropic_task.hpp"

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::schedule {

std::vector<RelativeDestination> relative_destinations(const Network& network, const Task& task) {
  const bool everywhere = task.collective == Collective::alltoall;
  if (!everywhere && task.collective != Collective::neighborhood)
    throw Error(fmt::format("{} has no fixed relative destinations: give alltoall or neighborhood:K:L",
                            to_string(task)));
  std::vector<RelativeDestination> result;
  result.reserve(everywhere ? network.order() : 0);
  for (Node node = 1; node < network.order(); ++node) {
    const std::uint32_t distance = everywhere ? 0 : network.distance(0, node);
    if (everywhere || (task.nearest <= distance && distance <= task.farthest)) result.push_back({node, 1});
  }
  return result;
}

std::vector<Packet> isotropic_packets(const Network& network,
                                      std::span<const RelativeDestination> destinations, std::uint32_t parts,
                                      Node origin, std::uint32_t first_block) {
  std::vector<Packet> result;
  std::uint32_t block = first_block;
  for (const auto [relative, blocks] : destinations) {
    const Node to = network.group().add(origin, relative);
    for (std::uint32_t i = 0; i < blocks; ++i, ++block) {
      for (std::uint32_t part = 0; part < parts; ++part) result.push_back({origin, to, block, part});
    }
  }
  return result;
}

}  // namespace isotrope::schedule

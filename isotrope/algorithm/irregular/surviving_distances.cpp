// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/surviving_distances.hpp"

#include <algorithm>

namespace isotrope::algorithm {

SurvivingDistances::SurvivingDistances(const network::SurvivingNetwork& network,
                                       std::span<const schedule::Packet> packets)
    : network_(network), to_(network.whole().order()) {
  for (const schedule::Packet& packet : packets) {
    if (!to_[packet.to].empty()) continue;
    to_[packet.to].reserve(network.whole().order());
    for (const std::uint32_t distance : network.distances(packet.to))
      to_[packet.to].push_back(static_cast<std::uint16_t>(std::min(distance, far)));
  }
}

}  // namespace isotrope::algorithm

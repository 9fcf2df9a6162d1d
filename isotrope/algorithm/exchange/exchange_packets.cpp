// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/exchange_packets.hpp"

namespace isotrope::algorithm {

using network::Network;
using schedule::RelativeDestination;

ExchangePackets::ExchangePackets(const schedule::Task& task,
                                 std::span<const RelativeDestination> destinations)
    : everywhere_(task.collective == schedule::Collective::alltoall),
      destinations_(destinations.begin(), destinations.end()) {
  for (const auto [to, blocks] : destinations) {
    if (to != 0 && blocks > 0) moving_.push_back({to, blocks});
    for (std::uint32_t i = 0; i < blocks; ++i, ++listed_) {
      if (to != 0) ids_.push_back(listed_);
    }
  }
}

schedule::Stage ExchangePackets::stage(const Network& network, const ParityClasses& classes) const {
  schedule::Stage stage{schedule::Flow::move, classes.replication, {}, {}};
  if (implied(classes)) return stage;
  for (std::uint32_t c = 0; c < classes.count; ++c) {
    const auto listed = isotropic_packets(network, destinations_, 1, classes.origin(c), everywhere_ ? 1 : 0);
    stage.packets.insert(stage.packets.end(), listed.begin(), listed.end());
  }
  return stage;
}

}  // namespace isotrope::algorithm

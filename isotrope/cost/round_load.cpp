// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/round_load.hpp"

#include "isotrope/cost/round_messages.hpp"
#include "isotrope/cost/stage_rounds.hpp"

namespace isotrope::cost {

std::vector<RoundLoad> round_loads(const network::Network& network, const schedule::Schedule& schedule) {
  std::vector<RoundLoad> loads;
  for (const schedule::Stage& stage : schedule.stages) {
    StageRounds rounds(network, schedule.round_kind, stage);
    rounds.each([](PacketId) { return std::uint64_t{1}; },
                [&](const StageRounds::Load& load) {
                  loads.push_back({load.messages, load.size, load.carried, load.received});
                });
  }
  return loads;
}

}  // namespace isotrope::cost

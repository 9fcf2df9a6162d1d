// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/round_synchronous.hpp"

#include "isotrope/cost/round_messages.hpp"

namespace isotrope::cost {

std::vector<RoundLoad> round_loads(const network::Network& network, const schedule::Schedule& schedule) {
  std::vector<RoundLoad> loads;
  for (const schedule::Stage& stage : schedule.stages) {
    StageRounds rounds(network, schedule.round_kind, stage);
    rounds.each([](PacketId) { return std::uint64_t{1}; },
                [&](const RoundLoad& load) { loads.push_back(load); });
  }
  return loads;
}

RoundSynchronous::RoundSynchronous(std::uint64_t block_bytes, std::uint32_t segments, const Machine& machine)
    : machine_(machine),
      prediction_{.segments = segments, .segment_bytes = (block_bytes + segments - 1) / segments} {}

void RoundSynchronous::add(const RoundLoad& load, std::uint64_t rounds) {
  const std::uint64_t segment = prediction_.segment_bytes;
  const std::uint64_t bytes = load.packets * segment;
  const auto count = static_cast<double>(rounds);
  prediction_.rounds += rounds;
  prediction_.seconds +=
      count * machine_.round_time(load.messages, load.sent * segment, bytes, load.received);
  prediction_.overhead_s += count * (machine_.overhead(load.messages, load.sent * segment) +
                                     machine_.receive_overhead(load.received));
  prediction_.startup_s += count * static_cast<double>(machine_.startups(bytes)) * machine_.startup_s;
  prediction_.transfer_s += count * static_cast<double>(bytes) * machine_.byte_time_s;
  prediction_.link_bytes += rounds * bytes;
}

}  // namespace isotrope::cost

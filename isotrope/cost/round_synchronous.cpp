// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/round_synchronous.hpp"

#include <algorithm>

#include "isotrope/cost/round_messages.hpp"

namespace isotrope::cost {
namespace {

double round_seconds(const RoundLoad& load, std::uint64_t packet_bytes, const Machine& machine) {
  const std::uint64_t sent = load.sent * packet_bytes, bytes = load.packets * packet_bytes;
  if (!load.alike) return machine.round_time(load.messages, sent, bytes, load.received);
  // Message i is ready when all up to it are prepared, at least the overheads of those after it before the last one.
  const double prepared = machine.overhead(load.messages, sent),
               taken = machine.receive_overhead(load.received);
  const double after_first = taken - machine.overhead(load.messages - 1, 0);
  return prepared +
         std::max(taken, machine.message_time(bytes) + std::max(machine.receive_overhead(1), after_first));
}

}  // namespace

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
  const double seconds = round_seconds(load, segment, machine_);
  prediction_.seconds += count * seconds;
  prediction_.overhead_s += count * (seconds - machine_.message_time(bytes));
  prediction_.startup_s += count * static_cast<double>(machine_.startups(bytes)) * machine_.startup_s;
  prediction_.transfer_s += count * static_cast<double>(bytes) * machine_.byte_time_s;
  prediction_.link_bytes += rounds * bytes;
}

}  // namespace isotrope::cost

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/round_synchronous.hpp"

#include <algorithm>

#include "isotrope/cost/round_messages.hpp"

namespace isotrope::cost {
namespace {

// The message that the round waits for.
struct SlowestMessage {
  double seconds = 0;
  double startup_s = 0;  // of the seconds
};

SlowestMessage slowest_message(const RoundLoad& load, std::uint64_t packet_bytes, const Machine& machine,
                               const LinkTimes* times) {
  if (load.classes.empty()) {
    const std::uint64_t bytes = load.packets * packet_bytes;
    return {machine.message_time(bytes), static_cast<double>(machine.startups(bytes)) * machine.startup_s};
  }
  SlowestMessage slowest{-1, 0};
  for (const auto& [link_class, packets] : load.classes) {
    const std::uint64_t bytes = packets * packet_bytes;
    const double seconds = times->message_time(link_class, bytes);
    if (seconds > slowest.seconds)
      slowest = {seconds, static_cast<double>(machine.startups(bytes)) * times->all()[link_class].startup_s};
  }
  return slowest;
}

double round_seconds(const RoundLoad& load, std::uint64_t packet_bytes, double message_s,
                     const Machine& machine) {
  const std::uint64_t sent = load.sent * packet_bytes;
  if (!load.alike)
    return machine.overhead(load.messages, sent) + message_s + machine.receive_overhead(load.received);
  // Message i is ready when all up to it are prepared, at least the overheads of those after it before the last one.
  const double prepared = machine.overhead(load.messages, sent),
               taken = machine.receive_overhead(load.received);
  const double after_first = taken - machine.overhead(load.messages - 1, 0);
  return prepared + std::max(taken, message_s + std::max(machine.receive_overhead(1), after_first));
}

}  // namespace

std::vector<RoundLoad> round_loads(const network::Network& network, const schedule::Schedule& schedule) {
  return round_loads(network, schedule, LinkTimes(network, {}, Machine()));
}

std::vector<RoundLoad> round_loads(const network::Network& network, const schedule::Schedule& schedule,
                                   const LinkTimes& times) {
  std::vector<RoundLoad> loads;
  for (const schedule::Stage& stage : schedule.stages) {
    StageRounds rounds(network, schedule.round_kind, stage, times);
    rounds.each([](PacketId) { return std::uint64_t{1}; },
                [&](const RoundLoad& load) { loads.push_back(load); });
  }
  return loads;
}

RoundSynchronous::RoundSynchronous(std::uint64_t block_bytes, std::uint32_t segments, const Machine& machine)
    : machine_(machine),
      prediction_{.segments = segments, .segment_bytes = (block_bytes + segments - 1) / segments} {}

RoundSynchronous::RoundSynchronous(std::uint64_t block_bytes, std::uint32_t segments, const Machine& machine,
                                   const LinkTimes& times)
    : RoundSynchronous(block_bytes, segments, machine) {
  times_ = &times;
}

void RoundSynchronous::add(const RoundLoad& load, std::uint64_t rounds) {
  const std::uint64_t segment = prediction_.segment_bytes;
  const std::uint64_t bytes = load.packets * segment;
  const auto count = static_cast<double>(rounds);
  prediction_.rounds += rounds;
  const SlowestMessage message = slowest_message(load, segment, machine_, times_);
  const double seconds = round_seconds(load, segment, message.seconds, machine_);
  prediction_.seconds += count * seconds;
  prediction_.overhead_s += count * (seconds - message.seconds);
  prediction_.startup_s += count * message.startup_s;
  prediction_.transfer_s += count * (message.seconds - message.startup_s);
  prediction_.link_bytes += rounds * bytes;
}

}  // namespace isotrope::cost

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/cut_through.hpp"

#include <algorithm>
#include <vector>

namespace isotrope::cost {
namespace {

struct RoundSeconds {
  double network = 0;  // of the slowest message
  double all = 0;      // with overheads
};

RoundSeconds in_any_order(const CutThroughRound& round, std::uint64_t block_bytes, const Machine& machine) {
  const std::uint64_t message_bytes = round.largest * block_bytes;
  RoundSeconds result;
  if (round.far.empty())
    result.network = machine.direct_time(message_bytes, round.busiest * block_bytes, round.hops);
  for (const FarLoad& far : round.far) {
    result.network = std::max(
        result.network, machine.direct_time(message_bytes, far.busiest * block_bytes, round.hops, far.hops));
  }
  result.all =
      machine.direct_round_time(round.messages, round.sent * block_bytes, round.received, result.network);
  return result;
}

// Message i of a node comes when i messages have been prepared and it has gone its way; receivers take one after the
// other, and nothing before they have sent.
RoundSeconds farthest_first(const CutThroughRound& round, std::uint64_t block_bytes, const Machine& machine) {
  const auto prepared = [&](std::uint64_t messages) {
    return machine.overhead(messages, std::min(round.sent, messages * round.largest) * block_bytes);
  };
  RoundSeconds result;
  std::vector<double> arrivals;
  for (auto load = round.far.rbegin(); load != round.far.rend(); ++load) {
    const FarLoad& far = *load;
    const double network_s =
        machine.direct_time(round.largest * block_bytes, far.busiest * block_bytes, far.hops, far.hops);
    result.network = std::max(result.network, network_s);
    result.all = std::max(result.all, prepared(far.messages) + network_s + machine.receive_overhead(1));
    while (arrivals.size() < far.received) {
      const auto sent = std::min<std::uint64_t>(arrivals.size() + 1, far.messages);
      arrivals.push_back(prepared(sent) + network_s);
    }
  }
  std::ranges::sort(arrivals);
  double taken_s = 0;
  for (const double arrival : arrivals) taken_s = std::max(taken_s, arrival) + machine.receive_overhead(1);
  result.all =
      std::max({result.all, taken_s, prepared(round.messages) + machine.receive_overhead(round.received)});
  return result;
}

}  // namespace

Prediction cut_through(std::span<const CutThroughRound> rounds, std::uint64_t block_bytes,
                       const Machine& machine) {
  Prediction result{.segments = 1, .segment_bytes = block_bytes};
  double networks_s = 0;
  for (const CutThroughRound& round : rounds) {
    const bool is_ordered = !round.far.empty() && round.far.front().messages > 0;
    const RoundSeconds seconds =
        is_ordered ? farthest_first(round, block_bytes, machine) : in_any_order(round, block_bytes, machine);
    ++result.rounds;
    result.link_bytes += round.busiest * block_bytes;
    result.seconds += seconds.all;
    networks_s += seconds.network;
  }
  result.overhead_s = result.seconds - networks_s;
  result.transfer_s = static_cast<double>(result.link_bytes) * machine.byte_time_s;
  result.startup_s = networks_s - result.transfer_s;
  return result;
}

}  // namespace isotrope::cost

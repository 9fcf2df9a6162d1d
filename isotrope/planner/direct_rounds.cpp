// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/direct_rounds.hpp"

#include <algorithm>
#include <vector>

#include "isotrope/schedule/isotropic_task.hpp"

#include "isotrope/algorithm/exchange/route_choice.hpp"

namespace isotrope::planner {

DirectRound direct_round(const network::Network& network, const BlocksByOffset& blocks, Senders senders) {
  DirectRound result{.messages = blocks.size(), .received = senders == Senders::all ? blocks.size() : 1};
  std::vector<schedule::RelativeDestination> offsets;
  for (const auto& [offset, count] : blocks) {
    offsets.push_back({offset, 1});
    result.sent += count;
    result.largest = std::max(result.largest, count);
    result.hops = std::max(result.hops, network.distance(0, offset));
  }
  const algorithm::TaskMatrix routes = algorithm::shortest_routes(network, offsets);
  std::vector<std::uint64_t> loads(network.degree(), 0);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const std::uint64_t count = blocks.at(offsets[i].to);
    if (senders == Senders::some) {
      loads[routes.row(i).front().column] += count;
    } else {
      for (const auto [port, hops] : routes.row(i)) loads[port] += hops * count;
    }
  }
  result.busiest = std::ranges::max(loads);
  return result;
}

Prediction predict_rounds(std::span<const DirectRound> rounds, std::uint64_t block_bytes,
                          const cost::Machine& machine) {
  Prediction result{.packets = 1, .packet_bytes = block_bytes};
  double networks_s = 0;
  for (const DirectRound& round : rounds) {
    const std::uint64_t bytes = round.busiest * block_bytes;
    const double network_s = machine.direct_time(round.largest * block_bytes, bytes, round.hops);
    ++result.rounds;
    result.link_bytes += bytes;
    result.seconds +=
        machine.direct_round_time(round.messages, round.sent * block_bytes, round.received, network_s);
    networks_s += network_s;
  }
  result.overhead_s = result.seconds - networks_s;
  result.transfer_s = static_cast<double>(result.link_bytes) * machine.byte_time_s;
  result.startup_s = networks_s - result.transfer_s;
  return result;
}

}  // namespace isotrope::planner

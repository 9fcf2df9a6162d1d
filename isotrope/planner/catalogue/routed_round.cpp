// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/catalogue/routed_round.hpp"

#include <algorithm>
#include <vector>

#include "isotrope/schedule/traffic.hpp"

#include "isotrope/algorithm/exchange/route_choice.hpp"

namespace isotrope::planner {

cost::CutThroughRound routed_round(const network::Network& network, const BlocksByOffset& blocks,
                                   Senders senders) {
  cost::CutThroughRound result{.messages = blocks.size(),
                               .received = senders == Senders::all ? blocks.size() : 1};
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

}  // namespace isotrope::planner

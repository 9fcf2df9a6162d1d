// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/leader_broadcast.hpp"

#include <utility>
#include <vector>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/algorithm/lanes.hpp"

namespace isotrope::algorithm {

using network::Network;
using network::Node;
using schedule::Hop;
using schedule::Rounds;

schedule::Schedule leader_broadcast(const Network& network, const network::Failures& failed, Node root,
                                    std::uint32_t parts, schedule::Schedule leaders,
                                    const schedule::Schedule& node) {
  const std::uint32_t places = places_of_node(network), lane = root % places;
  const auto port_of_step = ports_in_node(network);
  const network::SurvivingNetwork alive(network, only_lane(network, failed, lane));
  schedule::Schedule result = std::move(leaders);
  result.round_kind = schedule::RoundKind::aggregated;
  Rounds& rounds = result.stages.front().rounds;
  const Rounds& within = node.stages.front().rounds;
  for (std::uint64_t t = 0; t < within.size(); ++t) {
    for (const Node leader : alive.nodes()) {
      for (const Hop& hop : within.round(t)) {
        // Port j of complete:R leads j + 1 places further.
        const network::Port port = port_of_step[hop.port + 1].front();
        for (schedule::PacketId packet = 0; packet < parts; ++packet)
          rounds.add({packet, leader - lane + hop.from, port});
      }
    }
    rounds.close_round();
  }
  return result;
}

}  // namespace isotrope::algorithm

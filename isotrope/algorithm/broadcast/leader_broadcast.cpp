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

schedule::Schedule leader_broadcast(const Network& network, const network::Failures& failed,
                                    const LeaderPorts& ports, Node root, std::uint32_t parts,
                                    const schedule::Schedule& among, const schedule::Schedule& node) {
  const std::uint32_t places = places_of_node(network), lane = root % places;
  const network::SurvivingNetwork alive(network, only_lane(network, failed, lane));
  schedule::Stage stage{.flow = schedule::Flow::copy, .replication = {}, .packets = {}, .rounds = {}};
  const Rounds& between = among.stages.front().rounds;
  for (std::uint64_t t = 0; t < between.size(); ++t) {
    for (const Hop& hop : between.round(t))
      stage.rounds.add({hop.packet, hop.from * places + lane, ports.between[hop.port]});
    stage.rounds.close_round();
  }
  const Rounds& within = node.stages.front().rounds;
  for (std::uint64_t t = 0; t < within.size(); ++t) {
    for (const Node leader : alive.nodes()) {
      for (const Hop& hop : within.round(t)) {
        // Port j of complete:R leads j + 1 places further.
        for (schedule::PacketId packet = 0; packet < parts; ++packet)
          stage.rounds.add({packet, leader - lane + hop.from, ports.within[hop.port + 1]});
      }
    }
    stage.rounds.close_round();
  }
  schedule::Schedule result{
      .ports = among.ports, .round_kind = schedule::RoundKind::aggregated, .stages = {}};
  result.stages.push_back(std::move(stage));
  return result;
}

}  // namespace isotrope::algorithm

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/tree_messages.hpp"

#include <functional>
#include <utility>
#include <vector>

namespace isotrope::algorithm {
namespace {

using network::Node;
using schedule::Hop;
using schedule::PacketId;
using schedule::Rounds;

// Every hop of `one` with the packets that `carried(hop)` lists.
Rounds with_messages(const Rounds& one, const std::function<std::vector<PacketId>(const Hop&)>& carried) {
  Rounds result;
  for (std::uint64_t t = 0; t < one.size(); ++t) {
    for (const Hop& hop : one.round(t)) {
      for (const PacketId packet : carried(hop)) result.add({packet, hop.from, hop.port});
    }
    result.close_round();
  }
  return result;
}

schedule::Schedule aggregated_stage(schedule::PortModel ports, schedule::Flow flow, Rounds rounds) {
  return one_stage(ports, schedule::RoundKind::aggregated,
                   {flow, schedule::Replication::none(), {}, std::move(rounds)});
}

// By node, the node itself and all below it in the tree. Receivers come after their senders, so in reverse order each
// node is complete when its parent takes it over.
std::vector<std::vector<Node>> subtrees(const network::Network& network, const Rounds& one) {
  std::vector<std::vector<Node>> below(network.order());
  const auto hops = one.hops();
  for (std::size_t i = hops.size(); i-- > 0;) {
    const Node to = network.neighbour(hops[i].from, hops[i].port);
    below[to].push_back(to);
    below[hops[i].from].insert(below[hops[i].from].end(), below[to].begin(), below[to].end());
  }
  return below;
}

}  // namespace

schedule::Schedule tree_message_broadcast(const schedule::Schedule& one, std::uint32_t parts) {
  std::vector<PacketId> all(parts);
  for (PacketId part = 0; part < parts; ++part) all[part] = part;
  return aggregated_stage(one.ports, schedule::Flow::copy,
                          with_messages(one.stages.front().rounds, [&](const Hop&) { return all; }));
}

schedule::Schedule tree_message_scatter(const network::Network& network, Node root, std::uint32_t parts,
                                        const schedule::Schedule& one) {
  const Rounds& rounds = one.stages.front().rounds;
  const auto below = subtrees(network, rounds);
  return aggregated_stage(one.ports, schedule::Flow::move, with_messages(rounds, [&](const Hop& hop) {
                            std::vector<PacketId> packets;
                            for (const Node to : below[network.neighbour(hop.from, hop.port)]) {
                              for (std::uint32_t part = 0; part < parts; ++part)
                                packets.push_back(network.group().subtract(to, root) * parts + part);
                            }
                            return packets;
                          }));
}

}  // namespace isotrope::algorithm

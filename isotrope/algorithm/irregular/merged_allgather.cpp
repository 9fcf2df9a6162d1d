// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/merged_allgather.hpp"

#include <utility>
#include <vector>

#include "isotrope/schedule/transform.hpp"

#include "isotrope/algorithm/trees/surviving_tree.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;
using network::Port;
using schedule::PacketId;

// The hops of `parts` packets from `root`, the first of number `first`, by round.
void add_broadcast(const network::SurvivingNetwork& network, Node root, PacketId first, std::uint32_t parts,
                   std::vector<std::vector<schedule::Hop>>& hops) {
  const ChildPorts child_ports = surviving_tree(network, root);
  std::vector<Node> level{root}, next;
  for (std::size_t round = 0; !level.empty(); ++round) {
    next.clear();
    for (const Node node : level) {
      for (const Port port : child_ports(node)) {
        if (hops.size() == round) hops.emplace_back();
        for (std::uint32_t part = 0; part < parts; ++part) hops[round].push_back({first + part, node, port});
        next.push_back(network.whole().neighbour(node, port));
      }
    }
    std::swap(level, next);
  }
}

}  // namespace

schedule::Schedule merged_allgather(const network::SurvivingNetwork& network, std::uint32_t parts) {
  schedule::Stage stage{schedule::Flow::copy, schedule::Replication::none(), {}, {}};
  std::vector<std::vector<schedule::Hop>> hops;
  for (const Node origin : network.nodes()) {
    add_broadcast(network, origin, static_cast<PacketId>(stage.packets.size()), parts, hops);
    for (std::uint32_t part = 0; part < parts; ++part)
      stage.packets.push_back({origin, schedule::to_all, 0, part});
  }
  append(hops, stage.rounds);
  schedule::Schedule result{schedule::PortModel::all(), schedule::RoundKind::aggregated, {}};
  result.stages.push_back(std::move(stage));
  return result;
}

}  // namespace isotrope::algorithm

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/merged_allgather.hpp"

#include <utility>
#include <vector>

#include "isotrope/schedule/transform.hpp"

#include "isotrope/algorithm/broadcast/tree_broadcast.hpp"
#include "isotrope/algorithm/trees/surviving_tree.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;
using schedule::PacketId;

// The hops of `parts` packets from `root`, the first of number `first`, by round.
void add_broadcast(const network::SurvivingNetwork& network, Node root, PacketId first, std::uint32_t parts,
                   std::vector<std::vector<schedule::Hop>>& hops) {
  const schedule::Schedule one =
      tree_broadcast(network.whole(), root, 1, schedule::PortModel::all(), surviving_tree(network, root));
  const schedule::Rounds& rounds = one.stages.front().rounds;
  if (hops.size() < rounds.size()) hops.resize(rounds.size());
  for (std::size_t t = 0; t < rounds.size(); ++t) {
    for (const schedule::Hop& hop : rounds.round(t)) {
      for (std::uint32_t part = 0; part < parts; ++part)
        hops[t].push_back({first + part, hop.from, hop.port});
    }
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

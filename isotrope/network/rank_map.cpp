// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/rank_map.hpp"

#include <limits>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::network {

std::vector<Node> RankMap::nodes(Node order) const {
  std::vector<Node> result(order);
  for (Rank rank = 0; rank < order; ++rank) result[rank] = node_of(rank);
  return result;
}

RankMap::RankMap(std::vector<Node> nodes) {
  constexpr Rank nobody = std::numeric_limits<Rank>::max();
  std::vector<Rank> ranks(nodes.size(), nobody);
  bool is_identity = true;
  for (Rank rank = 0; rank < nodes.size(); ++rank) {
    const Node node = nodes[rank];
    if (node >= nodes.size())
      throw Error(fmt::format("rank {} is node {}: of {} ranks, give the nodes 0..{}", rank, node,
                              nodes.size(), nodes.size() - 1));
    if (ranks[node] != nobody)
      throw Error(fmt::format("ranks {} and {} are both node {}: give every node to one rank", ranks[node],
                              rank, node));
    ranks[node] = rank;
    is_identity = is_identity && node == rank;
  }
  if (is_identity) return;
  nodes_ = std::move(nodes);
  ranks_ = std::move(ranks);
}

}  // namespace isotrope::network

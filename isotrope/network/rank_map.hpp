// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which node of a network every rank of a job is: a permutation. A launcher numbers ranks by hosts and slots, a network its
// nodes by coordinates, and the two agree only by chance.
//
//     rank       0  1  2  3             node       0  1  2  3
//     node_of    2  0  3  1             rank_of    1  3  0  2
//
// Cost: O(1) a question; 8 bytes a rank, none if rank r is node r.
#pragma once

#include <vector>

#include "isotrope/network/parse.hpp"

namespace isotrope::network {

/// The number of a process in a communicator.
using Rank = std::uint32_t;

class RankMap {
 public:
  /// Rank r is node r, of any number.
  RankMap() = default;
  /// Rank r is node nodes[r]. @throws Error unless every number from 0 to nodes.size() - 1 is given once
  explicit RankMap(std::vector<Node> nodes);

  Node node_of(Rank rank) const { return nodes_.empty() ? rank : nodes_[rank]; }
  Rank rank_of(Node node) const { return ranks_.empty() ? node : ranks_[node]; }
  /// The nodes of ranks 0 to `order` - 1. @pre it fits
  std::vector<Node> nodes(Node order) const;
  /// Whether this is a map of `order` ranks; the identity always is.
  bool fits(Node order) const { return nodes_.empty() || nodes_.size() == order; }
  /// Whether rank r is node r.
  bool is_identity() const { return nodes_.empty(); }

  bool operator==(const RankMap&) const = default;

 private:
  std::vector<Node> nodes_;  // by rank; of the identity none
  std::vector<Rank> ranks_;  // by node
};

/// A network with the places of the ranks in it.
struct MappedNetwork {
  NamedNetwork named;
  RankMap ranks = {};
};

}  // namespace isotrope::network

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The cosets of a subgroup of a network's group: the classes of a gossip in which all nodes of a coset send over the
// same port (annealed_gossip.hpp).
//
// Convention: cosets are numbered by their least nodes. The nodes of a coset are its least node plus the elements of
// the subgroup, ascending:
//
//     ring:6, subgroup 0 2 4      coset 0: 0 2 4      coset 1: 1 3 5
//
// Memory: O(N degree).
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::algorithm {

using network::Network;
using network::Node;
using network::Port;

using Coset = std::uint16_t;

class Cosets {
 public:
  /// @param subgroup Its elements, ascending. @pre at most 65535 nodes.
  Cosets(const Network& network, const std::vector<Node>& subgroup);

  std::uint32_t count() const { return count_; }
  /// The nodes of a coset.
  std::uint32_t size() const { return size_; }
  Port degree() const { return degree_; }
  Coset of(Node node) const { return of_[node]; }

  /// The coset to which a port of the nodes of `coset` leads.
  Coset neighbour(Coset coset, Port port) const { return neighbours_[coset * degree_ + port]; }
  /// For each node of `coset`, the place in its own coset of the node that sends to it over `port`.
  const std::uint16_t* senders(Coset coset, Port port) const {
    return senders_.data() + (std::size_t{coset} * degree_ + port) * size_;
  }
  /// Whether links join nodes of one coset.
  bool joined_within() const;

 private:
  Port degree_;
  std::uint32_t count_ = 0, size_;
  std::vector<Coset> of_;               // by node
  std::vector<Coset> neighbours_;       // by coset and port
  std::vector<std::uint16_t> senders_;  // by coset, port and place
};

}  // namespace isotrope::algorithm

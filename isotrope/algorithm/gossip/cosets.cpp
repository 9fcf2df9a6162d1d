// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/gossip/cosets.hpp"

#include <algorithm>
#include <span>

namespace isotrope::algorithm {

Cosets::Cosets(const Network& network, const std::vector<Node>& subgroup)
    : degree_(network.degree()),
      size_(static_cast<std::uint32_t>(subgroup.size())),
      of_(network.order(), UINT16_MAX) {
  std::vector<Node> least;
  std::vector<std::uint16_t> place(network.order());
  for (Node node = 0; node < network.order(); ++node) {
    if (of_[node] != UINT16_MAX) continue;
    least.push_back(node);
    std::uint16_t next = 0;
    for (const Node element : subgroup) {
      const Node member = network.group().add(node, element);
      of_[member] = static_cast<Coset>(count_);
      place[member] = next++;
    }
    ++count_;
  }
  for (const Node first : least) {
    for (Port port = 0; port < degree_; ++port) {
      neighbours_.push_back(of_[network.neighbour(first, port)]);
      const Node sender = network.neighbour(first, network.opposite(port));
      for (const Node element : subgroup) senders_.push_back(place[network.group().add(sender, element)]);
    }
  }
}

bool Cosets::joined_within() const {
  const std::span of_first(neighbours_.begin(), degree_);
  return std::ranges::find(of_first, 0) != of_first.end();
}

}  // namespace isotrope::algorithm

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/routes_left.hpp"

#include <algorithm>
#include <utility>

#include "isotrope/network/parity.hpp"

namespace isotrope::network {

RoutesLeft::RoutesLeft(SurvivingNetwork network)
    : network_(std::move(network)), rows_(network_), parities_(parities(network_.whole().group())) {
  for (Port port = 0; port < network_.whole().degree(); ++port) {
    turns_[0].push_back(port);
    turns_[1].push_back(network_.whole().opposite(port));
  }
}

const DistanceRows::Row& RoutesLeft::row(Node to) {
  if (const auto* known = rows_.from(to)) return *known;
  last_.clear();
  for (const std::uint32_t distance : network_.distances(to))
    last_.push_back(static_cast<std::uint16_t>(std::min<std::uint32_t>(distance, DistanceRows::far)));
  return last_;
}

void RoutesLeft::find(Node from, Node to, std::vector<Port>& ports) {
  ports.clear();
  const DistanceRows::Row& left = row(to);
  const std::vector<Port>& turn = turns_[parities_[from]];
  while (from != to) {
    Port first = network_.whole().degree();
    Node next = from;
    network_.for_each_neighbour(from, [&](Port port, Node neighbour) {
      if (left[neighbour] >= left[from] || (next != from && turn[port] >= turn[first])) return;
      first = port;
      next = neighbour;
    });
    ports.push_back(first);
    from = next;
  }
}

}  // namespace isotrope::network

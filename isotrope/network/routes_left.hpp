// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The routes of messages that a machine sends over what is left of a network: shortest paths, over the ports in ascending order as
// far as a shortest path allows. Odd senders (parity.hpp) take each port for its opposite in that order.
//
//     mesh:4x4, from (0,0) to (2,3)      ports 0 0 2 2 2, axis by axis, from every sender
//     line:3xring:4, (0,0) to (0,2)      2 2, and from (0,1) to (0,3) 3 3: half of the messages go each way round
//
// Cost: a search of the links for each receiver, once, and O(degree) a hop. Memory: 2 bytes for each node and receiver.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isotrope/network/distance_rows.hpp"
#include "isotrope/network/surviving_network.hpp"

namespace isotrope::network {

class RoutesLeft {
 public:
  explicit RoutesLeft(SurvivingNetwork network);
  RoutesLeft(const RoutesLeft&) = delete;
  RoutesLeft& operator=(const RoutesLeft&) = delete;

  /// The hops of a route. @pre `to` can be reached from `from`, here and below
  std::uint32_t hops(Node from, Node to) { return row(to)[from]; }
  /// Replaces `ports` by those of the route, hop by hop.
  void find(Node from, Node to, std::vector<Port>& ports);

 private:
  const DistanceRows::Row& row(Node to);

  SurvivingNetwork network_;
  DistanceRows rows_;
  DistanceRows::Row last_;                  // of a node, if memory for rows is spent
  std::vector<std::uint8_t> parities_;      // by node
  std::array<std::vector<Port>, 2> turns_;  // by parity of the sender and port: its place in the order
};

}  // namespace isotrope::network

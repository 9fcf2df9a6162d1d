// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Broadcast of many packets on a torus of any extents, over one port or half duplex: k trees whose packets follow each
// other in waves, planned in time linear in the hops.
//
//     row       the nodes along one axis, a ring. The row of the root passes all packets on, round the ring.
//     lane      tree c leaves this row at position k - c, its lane. The trunk of the tree is all nodes at that position;
//               from the row it grows along the last axis, from there along the one before, and so on.
//     teeth     from its trunk the tree grows along all other rows, both ways round.
//
//     torus:5x8, k = 2, rows across; R the root,      . 1 0 . . . . .      Nearly every node is inside a tooth in every
//     0 and 1 the trunks of the trees                 . 1 0 . . . . .      tree, so has one child. Only on a lane are
//                                                     R 1 0 > > > > >      there more: at most 2d - 1, d the axes.
//                                                     . 1 0 . . . . .
//                                                     . 1 0 . . . . .
//
// Packet p follows tree p mod k. A node sends, and receives, in fixed rounds of a period of L: a hop takes the first
// round, from the packet's arrival on, that is free with its sender and its receiver. In a row the packets of all trees
// move alike, one hop a round, so hardly one waits beyond the lanes.
//
// Rounds: (ceil(P / k) - 1) L + h, with h the rounds of the last first packet. A node sends at most k + 2d - 2 packets a
// period, so a free round exists if L >= 2k + 2d - 3 (half duplex: 4k + 4d - 5), and a hop takes L rounds at most: h <= L
// times the depth of a tree. The search over k and L goes on below these L, down to the load of the busiest node.
// Measured: torus:64x64x256, P = 100, one port: 348 rounds, the bound is 291; k = 25, L = 36, the diameter 192.
//
// Claim: one hop a packet and node; at most the rounds above. Cost: O(N k) a try, O(hops) for the schedule.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "isotrope/network/torus_axes.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// The pipelines along lanes of a torus.
class LaneBroadcast {
 public:
  /// @pre torus_axes(network) has an axis; `ports` is one port or half duplex.
  LaneBroadcast(const network::Network& network, schedule::PortModel ports);

  /// The rounds of the best pipeline for `parts` >= 1 packets.
  std::uint64_t rounds(std::uint32_t parts);
  /// Its schedule.
  schedule::Schedule schedule(network::Node root, std::uint32_t parts);

 private:
  struct Torus {
    network::Network network;
    std::vector<network::TorusAxis> axes;  // the one of the rows first

    std::uint64_t least_height() const;
  };
  struct Pipeline {
    std::uint32_t trees, period;
    std::vector<std::uint64_t> heights;  // of the trees, rising

    std::uint64_t rounds(std::uint32_t parts) const;
  };

  std::vector<std::uint32_t> tree_counts(std::uint32_t parts) const;
  std::uint32_t shortest_period(std::uint32_t trees) const;
  Torus model(std::uint32_t trees) const;
  std::optional<Pipeline> tightest(const Torus& torus, std::uint32_t trees, std::uint32_t period) const;
  const std::optional<Pipeline>& expected(std::uint32_t trees);
  const std::optional<Pipeline>& measured(const Pipeline& expected);
  Pipeline best(std::uint32_t parts);

  Torus torus_;
  bool half_duplex_;
  std::map<std::uint32_t, std::optional<Pipeline>> expected_, measured_;  // by the number of trees
};

}  // namespace isotrope::algorithm

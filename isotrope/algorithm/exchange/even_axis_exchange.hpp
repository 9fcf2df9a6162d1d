// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Exchange on a torus with one even extent n and all others odd, such as a ring of even extent, in fewer rounds
// than any schedule in which all nodes do the same.
//
// In such a schedule the packet for the node half-way round the even axis has no partner in the other direction,
// and one direction carries n / 2 more than the other. Here packets along the axis are exchanged as on a ring:
// packets for the node opposite go forwards from even origins and backwards from odd ones (by the coordinate on
// the axis). All other packets go as usual; those half-way round are even in number, so they balance. In the task
// matrix each direction of the ring is a row with one entry, the rounds of the ring; whenever a round takes from
// this row, the ring advances by one round in that direction.
//
//     torus:3x4                 port 1+ 1- 2+ 2-
//     8 packets off axis 2           4  4  4  4      in all
//     3 packets along it: forwards   0  0  2  0      6 rounds; schedules alike for all nodes take 7
//                         backwards  0  0  0  2
//
//     ring:4, forwards      even origins    1 hop: a    2 hops: b        odd origins    1 hop: c
//
//     round    links from even nodes    links from odd nodes
//       0              b                         c
//       1              a                         b                       2 rounds; alike for all nodes 3
//
// On the ring both directions carry the same, n^2 / 4 hops per pair of neighbouring nodes. A packet uses links of
// even and odd nodes in turn; of the packets that wait at a link, the one with the most hops to go leaves first.
// Backwards traffic is the mirror image, with even and odd exchanged.
//
// Claim: on a ring, for all distances 1..n/2, ceil(n^2 / 8) rounds, the bound by links, for n up to 200
// (ring_exchange_test.cpp).
// Cost: O(n^2 log n) for the ring, and as for the task matrix; each of its entries lists two hops, from an even and
// from an odd origin.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isotrope/network/torus_axes.hpp"

#include "isotrope/schedule/isotropic_task.hpp"
#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/exchange/matrix_decomposition.hpp"

namespace isotrope::algorithm {

/// A hop forwards on a ring, the same for all packets of its kind.
struct RingHop {
  bool odd_origin;
  std::uint32_t distance;  ///< from origin to destination
  std::uint32_t done;      ///< hops made before

  bool operator==(const RingHop&) const = default;
};

/// The hops forwards of packets for distances nearest..min(farthest, extent/2), half-way round from even
/// origins only: a round has at most one hop from even nodes and one from odd nodes.
/// @pre extent is even and nearest >= 1.
std::vector<std::vector<RingHop>> ring_exchange(std::uint32_t extent, std::uint32_t nearest,
                                                std::uint32_t farthest);

/// The one even axis of a torus, if its extent is 4 or more; nothing on other networks.
std::optional<network::TorusAxis> lone_even_axis(const network::Network& network);

class EvenAxisExchange {
 public:
  /// One block to each of `destinations`, those at distance nearest..farthest of node 0, cut into `parts`.
  /// @pre `axis` is the lone even axis of `network`, and parts is odd.
  EvenAxisExchange(const network::Network& network, const network::TorusAxis& axis,
                   std::span<const schedule::RelativeDestination> destinations, std::uint32_t parts,
                   std::uint32_t nearest, std::uint32_t farthest);

  /// The task matrix, a column per port.
  const TaskMatrix& matrix() const { return matrix_; }

  /// The hops, moved and replicated by the even axis, for packets of origin 0 and then of the next node on that
  /// axis, each in the order of isotropic_packets; the stage lists no packets yet.
  /// @pre `decomposition` is one of matrix().
  schedule::Stage stage(const Decomposition& decomposition) const;

  /// The odd origin.
  network::Node odd_origin() const { return unit_; }

 private:
  schedule::Hop ring_hop(RingHop hop, bool backward) const;

  network::Network network_;
  network::TorusAxis axis_;
  network::Node unit_;  // the next node after 0 on the axis
  std::vector<std::vector<RingHop>> ring_;
  std::vector<schedule::PacketId> ring_packets_;   // by coordinate of the destination, from origin 0
  std::vector<schedule::PacketId> packet_of_row_;  // from origin 0, without the two rows of the ring
  schedule::PacketId packets_ = 0;                 // of one origin
  TaskMatrix matrix_;
};

}  // namespace isotrope::algorithm

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Exchange on a torus with one even extent n and all others odd, such as a ring of even extent, in fewer
// rounds than any schedule in which all nodes do the same.
//
// There the packet for the node half-way round the even axis has no partner to go the other way, and one
// direction carries n / 2 more than the other. Even and odd nodes, by their coordinate on that axis, share it
// out: the packets along the axis are exchanged as on a ring (ring_exchange.hpp), all others as ever. In the
// task matrix every direction of the ring is a row with one entry, as large as the ring takes rounds:
//
//     torus:3x4                 port 1+ 1- 2+ 2-
//     8 packets off axis 2           4  4  4  4      in all
//     3 packets along it: forwards   0  0  2  0      6 rounds, where all alike take 7
//                         backwards  0  0  0  2
//
// Whenever such a row is taken, the ring goes on by one round in that direction. The other packets that go
// half-way round are even in number, so they balance.
//
// Cost: as for the task matrix; two hops are listed for each of its entries, one from an even and one from an
// odd origin.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isotrope/network/torus_axes.hpp"

#include "isotrope/schedule/isotropic_task.hpp"
#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/exchange/matrix_decomposition.hpp"
#include "isotrope/algorithm/exchange/ring_exchange.hpp"

namespace isotrope::algorithm {

/// The one even axis of a torus, if its extent is 4 or more; nothing on other networks.
std::optional<network::TorusAxis> lone_even_axis(const network::Network& network);

class EvenAxisExchange {
 public:
  /// One block to each of `destinations`, those at distance nearest..farthest of node 0, cut into `parts`.
  /// @pre `axis` is the lone even axis of `network`, and parts is odd.
  EvenAxisExchange(const network::Network& network, const network::TorusAxis& axis,
                   std::span<const schedule::RelativeDestination> destinations, std::uint32_t parts,
                   std::uint32_t nearest, std::uint32_t farthest);

  /// The task matrix, a column a port.
  const TaskMatrix& matrix() const { return matrix_; }

  /// The hops, moved and replicated by the even axis, for packets of origin 0 and then of the node beside it
  /// on that axis, each in the order of isotropic_packets; these are left to be listed.
  /// @pre `decomposition` is one of matrix().
  schedule::Stage stage(const Decomposition& decomposition) const;

  /// The odd origin.
  network::Node odd_origin() const { return unit_; }

 private:
  schedule::Hop ring_hop(RingHop hop, bool backward) const;

  network::Network network_;
  network::TorusAxis axis_;
  network::Node unit_;  // the node beside 0 on the axis
  std::vector<std::vector<RingHop>> ring_;
  std::vector<schedule::PacketId> ring_packets_;   // by coordinate of the destination, from origin 0
  std::vector<schedule::PacketId> packet_of_row_;  // from origin 0, without the two rows of the ring
  schedule::PacketId packets_ = 0;                 // of one origin
  TaskMatrix matrix_;
};

}  // namespace isotrope::algorithm

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Any isotropic task on any network: total exchange (alltoall), neighbourhood exchange, or a list of relative
// destinations; one port, k or all.
//
//     routes      a task matrix of origin 0, a row per packet and a column per port, with balanced columns
//                 (route_choice.hpp, route_balance.hpp)
//     rounds      the matrix decomposed (matrix_decomposition.hpp): max(critical sum, ceil(total sum / c))
//     hops        a cell of a packet's row is the next hop of the packet, from its current node
//
// All nodes do the same at the same time, so a port carries one packet on every node at once. This falls short
// of the bound in one case, a torus with one even extent n and the others odd: the packet for the node half-way
// round that axis alone cannot go both ways at once. Even and odd nodes share this packet out
// (even_axis_exchange.hpp).
//
// Claims, for total exchange with c = degree unless said otherwise; N nodes, P parts:
//
//     torus p1 x ... x pd        max over i of ceil(P N floor(p_i^2 / 4) / (2 p_i)), for p_i = 2 twice that:
//                                the port-sum bound (2 x 2 and a few of several extents 2: the row bound)
//     hexmesh n                  P n (n - 1) (2n - 1) / 6, the distance-sum bound
//     hypercube d, c ports       ceil(P N d / (2c)), the distance-sum bound
//     others                     rounds(); the bound in most cases (isotropic_exchange_test.cpp)
//
// Cost: that of the routes and O(hops listed). Memory: 8 bytes per entry of the matrix, at most 28 per hop.
// Source: Varvarigos and Bertsekas 1992, Sections 2 to 4, 7 and 8; the symmetric time of its Section 8 for an
// even ring, n (n + 2) / 8, is the least for symmetric schedules only.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isotrope/schedule/isotropic_task.hpp"
#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/exchange/even_axis_exchange.hpp"
#include "isotrope/algorithm/exchange/matrix_decomposition.hpp"

namespace isotrope::algorithm {

/// The routes of an isotropic task; tells its rounds and makes its schedule.
class IsotropicExchange {
 public:
  /// alltoall or neighborhood, cut into the task's parts.
  /// @throws Error for other collectives, and for half duplex.
  IsotropicExchange(const network::Network& network, const schedule::Task& task, schedule::PortModel ports);

  /// The task isotropic: `destinations` in any order, every block cut into `parts` >= 1. A block for 0 does not
  /// move. @throws Error if a destination is no node, parts is 0, there are 2^32 or more packets, and for half
  /// duplex.
  IsotropicExchange(const network::Network& network,
                    std::span<const schedule::RelativeDestination> destinations, std::uint32_t parts,
                    schedule::PortModel ports);

  /// The number of rounds.
  std::uint64_t rounds() const;

  /// One stage, moved and replicated: to all origins, with its packets implied (alltoall) or listed; or by an
  /// even axis, with packets listed. Blocks are numbered by their relative destination, those of the task
  /// isotropic one after the other. @throws Error if the schedule has more than 2^32 hops.
  schedule::Schedule schedule() const;

 private:
  // With shortest routes, in which all nodes do the same.
  IsotropicExchange(const network::Network& network, schedule::PortModel ports, std::uint32_t parts,
                    std::vector<schedule::RelativeDestination> destinations);

  void share_even_axis(const schedule::Task& task, std::uint64_t bound);
  std::vector<schedule::Packet> packets_from(network::Node origin) const;
  schedule::Stage shared_stage() const;
  schedule::Stage common_stage() const;

  network::Network network_;
  schedule::PortModel ports_;
  network::Port c_;
  std::uint32_t parts_;
  bool everywhere_ = false;  // alltoall
  std::vector<schedule::RelativeDestination> destinations_;
  TaskMatrix matrix_;                     // if all nodes do the same
  std::optional<EvenAxisExchange> even_;  // if even and odd nodes differ
};

}  // namespace isotrope::algorithm

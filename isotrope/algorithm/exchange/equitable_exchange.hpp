// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Total exchange (alltoall) on any network with merged messages, all ports, k or one, any number of parts.
//
//     routes    the task matrix of origin 0, a row per packet and a column per port, with balanced columns
//               (route_choice.hpp, route_balance.hpp), as for single packets over all ports
//     colours   the hops of a row get different colours, as many as the longest row has hops, and every column is
//               spread evenly over the colours (equitable_rounds.hpp)
//     rounds    one round per colour; with k ports one per colour and group of k ports (port_groups.hpp)
//
// All nodes do the same, and the hops of a route may come in any order, so any such colouring is a schedule.
//
// Claims, with G = ceil(degree / k) groups and C the largest column: G times the diameter rounds if routes are
// shortest, as on tori, hexagonal meshes and complete networks, the least for all ports; a few more if balancing
// takes detours. The loads add up to at most G (C + longest row - 1), and to C with all ports on nearly all
// networks (equitable_exchange_test.cpp). On most networks C is the distance-sum or port-sum bound
// (isotropic_exchange.hpp). Over one port the loads add up to the hops of a node: the bound if routes are shortest.
// Cost: that of the routes and of their colouring. Sources: Varvarigos and Bertsekas 1992, Sections 2 and 3
// (task matrix); D. de Werra 1971 (equitable colouring).
#pragma once

#include <cstdint>

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/exchange/matrix_decomposition.hpp"
#include "isotrope/algorithm/timetable/port_groups.hpp"

namespace isotrope::algorithm {

/// The exchange of blocks in parts: tells its rounds and makes its schedule.
class EquitableExchange {
 public:
  /// @pre `parts` >= 1, nodes times parts stay below 2^32, and `ports` is not half duplex.
  EquitableExchange(const network::Network& network, std::uint32_t parts, schedule::PortModel ports);

  std::uint64_t rounds() const { return std::uint64_t{colours_} * groups_.count(); }

  /// One stage, moved, replicated to all origins. @throws Error as equitable_rounds does.
  schedule::Schedule schedule() const;

 private:
  network::Network network_;
  std::uint32_t parts_;
  schedule::PortModel ports_;
  PortGroups groups_;
  TaskMatrix matrix_;
  std::uint32_t colours_;
};

}  // namespace isotrope::algorithm

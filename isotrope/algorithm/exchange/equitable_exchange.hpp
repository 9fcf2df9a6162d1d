// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Total exchange (alltoall) on any network with merged messages, all ports, k or one, any number of parts.
//
//     routes    the task matrix of origin 0, a row a packet and a column a port, with balanced columns
//               (route_choice.hpp, route_balance.hpp), as for single packets over all ports
//     colours   every row's hops in different colours, as many as the longest row has hops, and every column
//               spread evenly over them (equitable_rounds.hpp)
//     rounds    a colour is a round; with k ports one for each group of k (port_groups.hpp)
//
// All nodes do the same, and the hops of a route may come in any order, so any such colouring is a schedule.
//
// Claims, with G = ceil(degree / k) groups and C the largest column: G times the diameter rounds where routes
// are shortest, as on tori, hexagonal meshes and complete networks, the least for all ports; a few more where
// balancing takes detours. The loads add up to G (C + longest row - 1) at most, and to C with all ports on
// nearly all networks (equitable_exchange_test.cpp). For C see isotropic_exchange.hpp: on most networks it is
// the distance-sum or port-sum bound. Over one port the loads are as many as the hops of a node: the bound
// where routes are shortest.
// Cost: that of the routes and of their colouring. Sources: Varvarigos and Bertsekas 1992, Sections 2 and 3
// (task matrix); D. de Werra 1971 (equitable colouring).
#pragma once

#include <cstdint>

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/exchange/matrix_decomposition.hpp"
#include "isotrope/algorithm/timetable/port_groups.hpp"

namespace isotrope::algorithm {

/// The exchange of blocks in parts, from which its rounds are known and its schedule is made.
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

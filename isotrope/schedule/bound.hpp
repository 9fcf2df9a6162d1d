// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Lower bounds: numbers of rounds that no schedule can beat for a task, a network and a port model.
//
// Symbols: N nodes, degree, D diameter, P parts, S the sum of the distances from a node to all others, c the
// ports a node may send on in a round (degree, k or 1), n_j the nodes at distance j or more.
//
//     degree        a node must send or receive so many packets over c ports
//     distance      the last packet to leave still has so far to go
//     distance-sum  every packet needs as many hops as its distance, and a round has so many
//     port-sum      the same with weighted ports: some ports have more to carry than others (port_sum.hpp)
//     doubling      a packet known to m nodes is known to at most (c+1) m after the next round
//     far-nodes     over one port, too many nodes are as far away as can be from all that know a packet early
//                   on (far_nodes.hpp)
//     work          every delivery occupies a sender and a receiver, and a round has N of them (half duplex)
//
// A task run backwards takes as long, so gather, reduce and reduce-scatter share the bounds of scatter,
// broadcast and allgather. Sources: Bertsekas et al. 1991, Table I and Sections 2 to 4; Ho and Johnsson 1986,
// Section 2.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "isotrope/schedule/isotropic_task.hpp"
#include "isotrope/schedule/schedule.hpp"
#include "isotrope/schedule/task.hpp"

namespace isotrope::schedule {

struct Bound {
  std::string kind;
  std::uint64_t value = 0;
  std::string because;  ///< the reason in words and numbers

  bool operator==(const Bound&) const = default;
};

/// Every lower bound known for the task on the intact network, the largest first; one a kind. None for
/// isotropic and task, which do not say their packets here.
std::vector<Bound> lower_bounds(const Network& network, const Task& task, PortModel ports, RoundKind rounds);

/// The same for an isotropic task by its relative destinations, every block cut into `parts`.
/// @pre the destinations are nodes, with fewer than 2^32 packets in all.
std::vector<Bound> lower_bounds(const Network& network, std::span<const RelativeDestination> destinations,
                                std::uint32_t parts, PortModel ports, RoundKind rounds);

/// The least number of packet transmissions over links, all nodes together; saturates at 2^64-1.
std::uint64_t least_transmissions(const Network& network, const Task& task);

}  // namespace isotrope::schedule

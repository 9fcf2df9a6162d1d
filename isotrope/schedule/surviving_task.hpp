// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Collectives among the nodes that survive failures: what must go where, and lower bounds on the rounds.
//
// A failed node neither sends nor receives blocks. Which nodes a neighborhood has is told by the distances
// before the failures: members do not change because links fail.
//
// Bounds, for c(v) the ports that node v can use in a round (those that carry, capped by the port model),
// n_j(v) the packets that v must send, or receive, over a distance of j or more, all distances those of the
// surviving network:
//
//     degree        node v sends or receives so many packets over c(v) ports
//     distance      ceil(n_j(v) / c(v)) + j - 1: the last of them leaves so late, or the first of them comes
//                   so late
//     distance-sum  all packets together need so many hops, and a round has the sum of c(v)
//     cut           the packets that must leave, or enter, a set of nodes, over the links that do; the sets
//                   tried are the subtrees of a breadth-first tree of a central node
//     doubling      a packet known to m nodes is known to at most (c+1) m after the next round, c the largest
//                   c(v)
//
// Half duplex counts what a node sends and receives together. They are the bounds of bound.hpp with the
// symmetry taken away; on a network without failures they are at most those.
// Cost: a breadth-first search a node that sends.
#pragma once

#include <span>
#include <vector>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/bound.hpp"
#include "isotrope/schedule/delivery.hpp"

namespace isotrope::schedule {

using network::SurvivingNetwork;

/// What scatter, gather, alltoall and neighborhood consist of, by ascending sender, then receiver.
/// @throws Error for any other collective.
std::vector<Delivery> surviving_deliveries(const SurvivingNetwork& network, const Task& task);

/// An isotropic task as seen by the survivors: `destinations` from each of them, to each of them.
std::vector<Delivery> surviving_deliveries(const SurvivingNetwork& network,
                                           std::span<const RelativeDestination> destinations);

/// Every bound for the task, the largest first; one a kind. None for isotropic and task, which do not say
/// their packets here. @pre the root survives, and all survivors can reach each other.
std::vector<Bound> lower_bounds(const SurvivingNetwork& network, const Task& task, PortModel ports,
                                RoundKind rounds);

/// The same for any task, every block cut into `parts`. @pre the deliveries are between survivors.
std::vector<Bound> lower_bounds(const SurvivingNetwork& network, std::span<const Delivery> deliveries,
                                std::uint32_t parts, PortModel ports, RoundKind rounds);

}  // namespace isotrope::schedule

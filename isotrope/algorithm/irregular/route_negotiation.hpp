// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Routes around failures whose busiest link carries as little as can be found, with detours where they help.
//
// Near a failure shortest paths crowd together: on a hexagonal mesh without one node the six links around it
// carry half as much again as the others. What helps is to send some packets a longer way.
//
// Method: a goal for the load of every link, halved in between what is reached and what no routes can do
// better. While a link carries more than the goal, packets that cross it are taken out one by one and routed
// again, cheapest way first (A*, led by the distance), where a hop costs
//
//     1 + history + price * (load above the goal)
//
// and a link's history grows with every pass in which it is above the goal. A goal not met after some passes
// is given up; the best routes are kept.
//
// Claim: the busiest link carries no more than before. Deterministic.
// Cost: limited to 2^26 links looked at, however large the task.
// Source: negotiated congestion, L. McMurchie, C. Ebeling, PathFinder, FPGA 1995.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/irregular/surviving_distances.hpp"

namespace isotrope::algorithm {

/// A route, as ports from the origin on.
using Route = std::vector<network::Port>;

/// Better routes for `packets`, one each; no link has to carry less than `enough` of them.
/// @pre `routes` lead the packets to their destinations over links that carry.
std::vector<Route> negotiate(const SurvivingDistances& distances, std::span<const schedule::Packet> packets,
                             std::vector<Route> routes, std::uint64_t enough = 0);

}  // namespace isotrope::algorithm

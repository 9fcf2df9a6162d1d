// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The bandwidth bound: the least sum, over the rounds of any schedule, of the largest number of packets on one link.
// Times the bytes of a packet and the time of a byte it is the least transfer time; the least rounds
// (lower_bounds.hpp) give the least number of start-ups.
//
// A round in which no link carries more than l packets sends no more than l strict rounds. So the bounds of strict
// rounds that count sends hold for the sum, l packets for l rounds; the bounds that follow a packet on its way do
// not:
//
//     degree, distance-sum, port-sum, work     hold: a node sends l packets per port, over c ports
//     distance, doubling, far-nodes            do not: a packet takes a start-up a hop, not the room of one
//
// An allreduce of a block for each node has a bound of its own. Each of its N P packets is a piece of gossip: all
// nodes have a part of it, all must know the whole, and a transmission tells one node the knowledge of another. A
// piece takes 2N - 2 transmissions at least, and N nodes make N c l transmissions (half duplex: floor(N/2) l) in a
// round of load l:
//
//     gossip    ceil(2 (N - 1) P / c)
//
// Source: F. Harary, A. J. Schwenk, The communication problem on graphs and digraphs, Journal of the Franklin
// Institute 297, 1974 (one-way calls).
#pragma once

#include <optional>

#include "isotrope/schedule/bound.hpp"
#include "isotrope/schedule/plan.hpp"
#include "isotrope/schedule/problem.hpp"

namespace isotrope::bound {

using schedule::Bound;
using schedule::Plan;
using schedule::Problem;

/// The largest bound on the sum of link loads, in packets; of allreduce for one block per node. The aggregation
/// limit does not matter. Nothing for isotropic, task and barrier (its packets are empty), nor around failures.
std::optional<Bound> bandwidth_bound(const Problem& problem);

/// The same for the loads of a plan. Also nothing for an allreduce without one block per node, which only the
/// stages of a plan show.
std::optional<Bound> bandwidth_bound(const Plan& plan);

/// The largest of the bounds on strict rounds that count sends, for any problem; nothing if there is none.
std::optional<Bound> send_bound(const Problem& problem);

}  // namespace isotrope::bound

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What combining rounds must carry: the least sum, over the rounds of any schedule, of the largest number of
// packets on one link. Times the bytes of a packet and the time of a byte, that is the least transfer time;
// the rounds (bound.hpp) give the least number of start-ups.
//
// A round in which no link carries more than l packets does no more than l strict rounds, as far as counting
// sends goes. So the bounds of strict rounds that count sends hold for the sum, l packets for l rounds, while
// those that follow a packet on its way do not:
//
//     degree, distance-sum, port-sum, work     hold: a node sends l packets a port, over c ports
//     distance, doubling, far-nodes            do not: a packet takes a start-up a hop, not the room of one
//
// An allreduce of a block for each node has a bound of its own. Each of its N P packets is a piece of gossip:
// every node has a part of it, all must know the whole, and a transmission tells one node what another knows
// so far. That takes 2N - 2 transmissions at least, and N nodes make c l of them (half duplex: floor(N/2) l)
// in a round of load l:
//
//     gossip    ceil(2 (N - 1) P / c)
//
// Source: F. Harary, A. J. Schwenk, The communication problem on graphs and digraphs, Journal of the Franklin
// Institute 297, 1974 (one-way calls).
#pragma once

#include <optional>

#include "isotrope/schedule/bound.hpp"
#include "isotrope/schedule/plan.hpp"

namespace isotrope::schedule {

/// The largest such bound on the intact network; of allreduce for a block a node. Nothing for isotropic and
/// task, which do not say their packets here, and barrier, whose packets are empty.
std::optional<Bound> bandwidth_bound(const Network& network, const Task& task, PortModel ports);

/// The same for the plan's task. Nothing where something has failed, and for an allreduce of blocks that not
/// every node has one of.
std::optional<Bound> bandwidth_bound(const Plan& plan);

}  // namespace isotrope::schedule

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Isotropic exchange in packed steps: steps of whole translations, each ended by a barrier. In a step every node sends at
// most K packets of its own, to the same relative destinations, and a link carries at most C.
//
//     routes    One route per destination for all origins loads a link of port p as often as it has hops over p. A packet with
//               more than C hops over a port in all its routes is split: even nodes send it by a route m, odd nodes by m',
//               m + m' even. With a parity that every hop changes, links of port p then carry (m_p + m'_p) / 2: what m and
//               m' share comes first, at equal positions, and is sent by even and odd nodes over links of different
//               classes; the rest is made of runs of even length over one port, half from each class
//     steps     Some steps are filled by pairs of packets whose hops over every port add up to C (type_sets.hpp); the
//               other packets are packed by a search (step_packing.hpp), at first without a limit on the sum of loads, then
//               in steps of smaller loads
//     rounds    Within a step the routes are a task matrix, decomposed in as many rounds as its largest line; a step with
//               split packets is list-scheduled
//
//     twisted-torus:4x4x8    K = 6, C = 3: 25 steps, loads 74 in sum; K = 6, C = 4: 22 steps, 74; all are bounds
//
// Claim: the bounds on steps (bound/steps.hpp) on most tori, cubes and twisted tori. Cost: seconds at most without a time
// limit.
#pragma once

#include <optional>
#include <span>

#include "isotrope/schedule/isotropic_task.hpp"
#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/search_limits.hpp"

namespace isotrope::algorithm {

/// A destination, and the least load of a link in a step with the packets for it.
struct StepLoad {
  network::Node to = 0;
  std::uint32_t load = 0;
};

/// The destination whose packets load a step the most, however they are routed.
StepLoad largest_least_load(const network::Network& network,
                            std::span<const schedule::RelativeDestination> destinations);

/// The exchange `task` of alltoall, neighborhood or isotropic, whose blocks of one part go to `destinations`, over all
/// ports: one stage, moved, with a barrier between steps. Replicated and numbered as by no_wait_exchange. `limits.target`
/// is the least sum of loads, `limits.links` counts places looked at.
/// @pre limits of steps are at least 1, and the load at least that of largest_least_load.
schedule::Schedule packed_exchange(const network::Network& network, const schedule::Task& task,
                                   std::span<const schedule::RelativeDestination> destinations,
                                   schedule::StepLimits step, const SearchLimits& limits);

}  // namespace isotrope::algorithm

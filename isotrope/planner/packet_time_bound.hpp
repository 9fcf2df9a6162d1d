// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The lower bound on the time of single packets that leave as soon as a link is free, without rounds (simulate/packet_simulator.hpp).
// A packet takes the start-up of a link and the time of its bytes there; t is the least of any link. The largest counts of
//
//     rounds    the bound on strict rounds, times t
//     bytes     the bytes that links must carry, each byte of a packet with its share of the packet's time over its link
//     chain     the farthest nodes apart, the time of a packet over each link of the way being its length
//
//     torus:4x4, alltoall, axis 1 twice as slow    8 rounds of t; by bytes 16 t, as the links of axis 1 carry half of them
//
// Proof: docs/bounds.md. Cost: that of TimeBounds.
#pragma once

#include <cstdint>

#include "isotrope/schedule/problem.hpp"

#include "isotrope/cost/machine.hpp"

namespace isotrope::planner {

/// Seconds, for blocks of `bytes` in the parts of the problem. @pre machine.lanes == 1, and single packets.
/// @throws Error if the machine's link classes do not fit the network.
double packet_time_bound(const schedule::Problem& problem, std::uint64_t bytes, const cost::Machine& machine);

}  // namespace isotrope::planner

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan as a GOAL schedule, the text that LogGOPSim's txt2bin reads.
//
//     num_ranks 8
//     rank 0 {
//     s0p1: send 64b to 2 tag 0 cpu 0 nic 1       round 0, port 1
//     r0p1: recv 64b from 2 tag 0 cpu 0 nic 1
//     e0: calc 0 cpu 0                            the end of round 0, with what is combined
//     e0 requires s0p1
//     e0 requires r0p1
//     s1p0: send 128b to 1 tag 1 cpu 0 nic 0
//     s1p0 requires e0                            what waits for the round before
//     }
//
// The tag is the round, which with both ends names the message. A calc ends every round of a rank: all of the
// next round wait for it. It counts one for every byte that is combined. The nic is the port, so that all
// ports send side by side; a network of more than 256 ports has none written, as nic numbers are bytes. There
// is one cpu: the simulator does not keep the time of an order between two.
//
// Source: Hoefler, Siebert and Lumsdaine, "Group operation assembly language", ICPP 2009; the grammar is that
// of txt2bin. Cost: three lines a message.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::exports {

/// Writes the schedule of all ranks; blocks (of allreduce the vector) have `block_bytes` bytes.
/// @pre the plan is valid (verify it first).
/// @param progress called now and then with the share done, 0..1; what it throws is passed on
/// @throws Error if the plan has too many hops, or nodes have failed.
void write_goal(std::ostream& out, const schedule::Plan& plan, std::uint64_t block_bytes,
                const std::function<void(double)>& progress = {});

}  // namespace isotrope::exports

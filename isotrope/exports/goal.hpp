// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan as a GOAL schedule, the text that LogGOPSim's txt2bin reads.
//
//     num_ranks 8
//     rank 0 {
//     s0p1: send 64b to 2 tag 0 cpu 0 nic 1       round 0, port 1
//     r0p1: recv 64b from 2 tag 0 cpu 0 nic 1
//     e0: calc 0 cpu 0                            the end of round 0; one unit per combined byte
//     e0 requires s0p1
//     e0 requires r0p1
//     s1p0: send 128b to 1 tag 1 cpu 0 nic 0
//     s1p0 requires e0                            every operation waits for the round before
//     }
//
// The tag is the round; tag, sender and receiver identify a message. A calc ends every round of a rank. The nic
// is the port, so that all ports send concurrently; networks of more than 256 ports have no nics, because nic
// numbers are bytes. All operations use one cpu, because the simulator does not time dependencies between cpus.
//
// Source: Hoefler, Siebert and Lumsdaine, "Group operation assembly language", ICPP 2009; the grammar is that
// of txt2bin. Cost: three lines per message end.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::exports {

/// Writes the schedule of all ranks. @pre the plan is valid (verify it first).
/// @param block_bytes of a block, or of the vector of an allreduce
/// @param progress called after every rank with the share done, 0..1; its exceptions are passed on
/// @throws Error if the plan has too many hops or failed nodes.
void write_goal(std::ostream& out, const schedule::Plan& plan, std::uint64_t block_bytes,
                const std::function<void(double)>& progress = {});

}  // namespace isotrope::exports

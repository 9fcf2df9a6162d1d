// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan as SimGrid time-independent traces, one a rank, and the list of them that `smpirun -replay` wants.
//
//     0 init                 rank 0
//     0 irecv 2 0 64         a round: post all receipts and sends (peer, tag, bytes), wait for all of them
//     0 isend 2 0 64
//     0 waitall 2
//     0 compute 64           what was combined, one flop a byte
//     0 finalize
//
// The tag is the round modulo 2^15, less than every MPI's largest; messages between two ranks keep their
// order. Traces refer to no machine: with the platform of simgrid_platform.hpp, rank r on host nr, a replay
// gives the time of the plan under contention.
//
// Cost: one line a message end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::exports {

/// Writes the trace of `rank`; blocks (of allreduce the vector) have `block_bytes` bytes.
/// @pre the plan is valid (verify it first).
/// @throws Error if the plan has too many hops, or nodes have failed.
void write_simgrid_trace(std::ostream& out, const schedule::Plan& plan, network::Node rank,
                         std::uint64_t block_bytes);

/// Makes the folder, with `rank-0.txt`, `rank-1.txt`, ... and the list of them, `ranks.txt`, in which they
/// are named as seen from where `folder` is seen.
/// @param progress called after every file with the share done, 0..1; what it throws is passed on
/// @throws Error as above, and where the folder exists or cannot be written; then nothing is left behind.
void write_simgrid_traces(const std::filesystem::path& folder, const schedule::Plan& plan,
                          std::uint64_t block_bytes, const std::function<void(double)>& progress = {});

}  // namespace isotrope::exports

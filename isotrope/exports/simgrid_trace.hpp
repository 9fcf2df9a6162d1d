// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan as SimGrid time-independent traces, one per rank, and the list of them that `smpirun -replay` reads.
//
//     0 init                 rank 0
//     0 irecv 2 0 64         a round: post all receipts and sends (peer, tag, bytes), wait for all of them
//     0 isend 2 0 64
//     0 waitall 2
//     0 compute 64           the combined bytes, one flop per byte
//     0 finalize
//
// The tag is the round modulo 2^15, the number of tags that every MPI has; messages between two ranks keep
// their order. Traces refer to no machine: a replay on the platform of simgrid_platform.hpp, with rank r on
// host nr, gives the time of the plan under contention. Cost: one line per message end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::exports {

/// Writes the trace of `rank`. @pre the plan is valid (verify it first).
/// @param block_bytes of a block, or of the vector of an allreduce
/// @throws Error if the plan has too many hops or failed nodes.
void write_simgrid_trace(std::ostream& out, const schedule::Plan& plan, network::Node rank,
                         std::uint64_t block_bytes);

/// Makes the folder with `rank-0.txt`, `rank-1.txt`, ... and `ranks.txt`, the list of their paths, each of
/// which begins with `folder`.
/// @param progress called after every file with the share done, 0..1; its exceptions are passed on
/// @throws Error as above, or if the folder exists or cannot be written; then nothing is left behind.
void write_simgrid_traces(const std::filesystem::path& folder, const schedule::Plan& plan,
                          std::uint64_t block_bytes, const std::function<void(double)>& progress = {});

}  // namespace isotrope::exports

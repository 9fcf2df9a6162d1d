// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What one rank sends and receives, in bytes: the messages that all traces are written from.
//
//     round 0    to 1: 64 bytes     from 3: 64 bytes
//     round 2    to 1: 128 bytes    from 3: 128 bytes, of which 128 are combined
//
// They are those of the rank's program (rank/program.hpp), so a trace is run in the same lock step: what a
// rank does in a round waits for its own receipts and sends of the round before, and for nothing else. Rounds
// in which it does nothing are left out, and so are messages without bytes, at both ends alike. No two
// messages of a round go from one node to another, so (sender, receiver, round) names a message.
//
// Cost: that of the program.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/exports/sizes.hpp"

namespace isotrope::exports {

struct RankTransfer {
  Node peer = 0;
  Port port = 0;  ///< the rank's own, towards the peer
  std::uint64_t bytes = 0;
};

struct RankRound {
  std::uint32_t round = 0;             ///< counted from 0 through all stages
  std::vector<RankTransfer> sends;     ///< ascending by port
  std::vector<RankTransfer> receipts;  ///< ascending by port
  std::uint64_t combined_bytes = 0;    ///< how much of what is received is combined with what is there
};

/// The rounds in which `rank` has anything to do; blocks (of allreduce the vector) have `block_bytes` bytes.
/// @pre the plan is valid (verify it first).
/// @throws Error if the plan has too many hops (sizes.hpp), or nodes have failed.
std::vector<RankRound> rank_rounds(const Plan& plan, Node rank, std::uint64_t block_bytes);

}  // namespace isotrope::exports

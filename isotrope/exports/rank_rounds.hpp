// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The messages of one rank, in bytes. All traces are written from them.
//
//     round 0    to 1: 64 bytes     from 3: 64 bytes
//     round 2    to 1: 128 bytes    from 3: 128 bytes, 128 of them combined
//
// The messages are those of the rank's program (rank/program.hpp). An operation of a round waits only for the
// rank's own receipts and sends of the round before. Empty rounds are left out, and so are messages without
// bytes, at both ends. A pair of nodes has at most one message in each direction per round, so (sender,
// receiver, round) identifies a message. Cost: that of the program.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/exports/sizes.hpp"

namespace isotrope::exports {

struct RankTransfer {
  Node peer = 0;
  Port port = 0;  ///< the rank's own, towards the peer
  std::uint64_t bytes = 0;
  /// The round; with up to r links side by side, r times the round plus the place of this one among them: 2 t and 2 t + 1 in
  /// round t on ring:4@2. No two messages between the same ranks have one tag.
  std::uint64_t tag = 0;
};

struct RankRound {
  std::uint32_t round = 0;             ///< counted from 0 through all stages
  std::vector<RankTransfer> sends;     ///< ascending by port
  std::vector<RankTransfer> receipts;  ///< ascending by port
  std::uint64_t combined_bytes = 0;    ///< received bytes that are combined with the rank's own
};

/// The rounds in which `rank` sends or receives. @pre the plan is valid (verify it first).
/// @param block_bytes of a block, or of the vector of an allreduce
/// @throws Error if the plan has too many hops (sizes.hpp) or failed nodes.
std::vector<RankRound> rank_rounds(const Plan& plan, Node rank, std::uint64_t block_bytes);

}  // namespace isotrope::exports

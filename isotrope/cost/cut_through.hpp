// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The time of rounds whose messages pass nodes without a stop, on a cut-through machine. A round takes
// Machine::direct_round_time of its farthest message and its busiest link.
//
// Cost: O(1) per round.
#pragma once

#include <cstdint>
#include <span>

#include "isotrope/cost/machine.hpp"
#include "isotrope/cost/prediction.hpp"

namespace isotrope::cost {

/// The load of one round, in blocks.
struct CutThroughRound {
  std::uint64_t messages = 0;  ///< that one node sends, at most
  std::uint64_t received = 0;  ///< messages that one node receives, at most
  std::uint64_t sent = 0;      ///< blocks that one node sends, at most
  std::uint64_t largest = 0;   ///< blocks in a message, at most
  std::uint64_t busiest = 0;   ///< blocks over one link, at most
  std::uint32_t hops = 1;      ///< of the farthest message
};

/// The prediction for blocks of `block_bytes`, each sent whole. @pre machine.cut_through, or all messages take one
/// hop.
Prediction cut_through(std::span<const CutThroughRound> rounds, std::uint64_t block_bytes,
                       const Machine& machine);

}  // namespace isotrope::cost

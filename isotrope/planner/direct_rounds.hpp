// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What rounds of messages between far nodes cost on a cut-through machine.
//
// A round takes cost::Machine::direct_round_time, with the farthest message's hops and the busiest link
// under the routes of isotropic tasks (algorithm/route_choice.hpp). Where all nodes send alike they are
// balanced; where some do, the busiest link is taken to be one that leaves a node, for machines route axis by
// axis: half of all messages leave the root of a hypercube over one link.
//
// Cost: O(distance) a message.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "isotrope/network/network.hpp"

#include "isotrope/cost/machine.hpp"

#include "isotrope/planner/prediction.hpp"

namespace isotrope::planner {

/// What a round costs by; blocks are counted.
struct DirectRound {
  std::uint64_t messages = 0;  ///< that one node sends, at most
  std::uint64_t received = 0;  ///< messages by one node, at most
  std::uint64_t sent = 0;      ///< blocks by one node, at most
  std::uint64_t largest = 0;   ///< blocks in a message
  std::uint64_t busiest = 0;   ///< blocks over a link
  std::uint32_t hops = 1;      ///< of the farthest message
};

/// How many blocks a node sends to the nodes at these offsets.
using BlocksByOffset = std::map<network::Node, std::uint64_t>;

/// Which nodes send: all, or some, to others that receive one message each.
enum class Senders { all, some };

/// @pre `blocks` is not empty, and offsets are not 0.
DirectRound direct_round(const network::Network& network, const BlocksByOffset& blocks, Senders senders);

/// Of blocks of `block_bytes` in one packet each. @pre machine.cut_through, or all messages take one hop.
Prediction predict_rounds(std::span<const DirectRound> rounds, std::uint64_t block_bytes,
                          const cost::Machine& machine);

}  // namespace isotrope::planner

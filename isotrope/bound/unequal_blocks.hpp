// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The bytes that some link must carry in a collective with blocks of unequal sizes, on any network.
//
//     ports       a node sends, or receives, over its own links: its bytes / its links
//     cut         an interval of one coordinate of the group: the bytes that leave it, or enter it, over the links that do
//     distance    every byte uses as many links as its destination is far away: sum of bytes * distance / directed links
//     prices      the same by any other lengths of the links: sum of bytes * length of a shortest way / length of all links
//                 together; these are found by trials (price_search.hpp)
//
// An exchange knows the bytes of every pair of nodes. In an allgather every node receives all blocks but its own; in a
// reduce-scatter it lets out a sum for every block but its own, so the same numbers bound both, with the directions
// exchanged (a sum of several contributions counts once).
//
// Claim: lower bounds for every schedule, in rounds or not; for one that reaches each node only over the links, time is at
// least the bytes times the time of a byte over a link. Cost: of an exchange a search of the network per
// sender, and searches of 2^22 links together for prices; per coordinate of extent p, O(p^2 + p * links + blocks).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/traffic.hpp"

namespace isotrope::bound {

/// A bound, with its reason in words.
struct LinkBytes {
  double link_bytes = 0;  ///< over the busiest link, at least
  std::string reason = "no block";
};

/// Of an exchange among survivors that can all reach each other. Blocks of a node for itself do not count; those of one sender
/// should follow each other, as each change of the sender costs a search of the network.
LinkBytes exchange_bound(const network::SurvivingNetwork& network,
                         std::span<const schedule::SizedBlock> blocks);
/// The same. @param bytes by sender, then receiver
LinkBytes exchange_bound(const network::SurvivingNetwork& network,
                         const std::vector<std::vector<std::uint64_t>>& bytes);
/// Of an allgather among the survivors of blocks of such sizes, by node, or of a reduce-scatter into them.
LinkBytes gathering_bound(const network::SurvivingNetwork& network, std::span<const std::uint64_t> bytes);

}  // namespace isotrope::bound

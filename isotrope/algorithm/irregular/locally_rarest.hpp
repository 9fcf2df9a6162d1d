// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Multinode broadcast (allgather) over all ports, on any network: receivers pull what the fewest of their neighbours
// have.
//
//     a round      one receiver after the other, in random order, takes a packet over each of its links
//     its links    those with the fewest packets to choose from first; one without any left takes the packet of another
//                  link that has a further choice
//     its packet   of those that the sender holds and the receiver lacks, and no other link brings, one that the fewest
//                  neighbours of the receiver have or are about to receive; among these one at random
//
// The count is over the neighbours alone, as the receiver serves them next: with the packets that are rarest in the
// whole network parallel links carry the same packet, which costs many rounds on complete factors. With links of unlike rates
// islands of fast ones count too (served_nodes.hpp).
//
// On a symmetric network the first nodes of the orbits choose (schedule/symmetries.hpp), and their images do the same.
//
// Counts are bit-sliced: for 512 packets at a time, a block of bits per binary digit of the count. A link looks at blocks
// cyclically from one on that is drawn for the round, and stops at a packet that its sender alone has; blocks whose
// least count is known not to be smaller are passed over. What is read in a round thus mostly lies in one block of
// every node, and stays in the caches.
//
// Claim: (N - 1) transmissions per packet. Rounds at the bound on nearly all products of lines, rings, complete
// networks and hypercubes (bench/open_networks.cpp).
// Cost: O(rounds links packets log(degree) / 512) operations on blocks at most, a fraction of it on large networks, and of
// the links of one node per orbit only.
// Memory: two bits a node and packet.
// Source: rarest first, as in file distribution among peers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// The rounds in which all survivors receive `packets` from their origins, or nothing if there would be `enough` or
/// more. @pre survivors can reach each other; the network has the symmetry, and packets come in orbits of it.
std::optional<schedule::Rounds> locally_rarest_rounds(const network::SurvivingNetwork& network,
                                                      std::span<const schedule::Packet> packets,
                                                      std::uint64_t enough, std::uint32_t seed,
                                                      schedule::SymmetryAxes symmetry = {});

}  // namespace isotrope::algorithm

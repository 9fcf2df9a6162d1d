// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Broadcast on any network and around failures, under any port model: local rarest first.
//
//     packets      a receiver takes from a neighbour the packet that the fewest of its neighbours have; among these,
//                  one that few nodes have, an old one, or one at random, by the weights of the search. Over fewer
//                  ports: that, or the packet with the largest weight of its own, which few nodes have and which has
//                  far to go
//     all ports    one receiver after the other, in random order, takes a packet over every link; the neighbours of
//                  the root choose first
//     fewer ports  a matching of links per port, the heaviest first: weight = rarity of the packet + need of the
//                  receiver (the share of packets that it lacks) + distance from the root + noise, or weight of the
//                  packet + need times distance + noise. Half duplex: a matching of nodes
//     cliques      every other construction with open axes or around failures lets all neighbours of the root that are
//                  linked with each other take the same fresh packet: in a complete factor copies go farther than parts
//     root         while packets of the window are left that it has never sent, it sends these only, lowest first, each once
//
// At most 64 to 512 packets are under way at a time: a packet waits until all nodes have the one so many before it. So
// the state of a node is a few words for any number of parts.
//
// The construction is repeated with other weights, most of them near the best ones so far, until a schedule meets the
// target or the search is over (search_limits.hpp). The same call gives the same schedule.
//
// Claim: (N - 1) P transmissions, the least possible; rounds are not proved to be the least. A node gets every packet
// once, so the schedule reversed is a reduction. Cost of one construction: O(rounds (links + packets under way)) over
// all ports, and the augmenting paths over fewer.
// Source: rarest first, as in file distribution among peers.
#pragma once

#include <cstdint>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/search_limits.hpp"

namespace isotrope::algorithm {

/// `parts` >= 1 packets from `root` to all survivors: one stage, copied, its packets implied.
/// @pre the root survives and can reach all survivors.
schedule::Schedule rarest_first_broadcast(const network::SurvivingNetwork& network, network::Node root,
                                          std::uint32_t parts, schedule::PortModel ports,
                                          const SearchLimits& limits);

}  // namespace isotrope::algorithm

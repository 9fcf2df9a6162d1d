// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Perfect blocks: as many packets as a node has ports, all k hops long, that cross every port in each of k rounds.
//
//     rounds    The routes of the packets, a row each, make a square matrix whose lines all add up to k. By Koenig it is
//               k perfect matchings; round r of the block is matching r. So every packet moves in each of the k rounds and
//               no link is idle.
//
// Two sources:
//
//     turn     A turn of the network (port_cycle.hpp) moves a packet round an orbit; its groups (orbit_groups.hpp) are
//              perfect blocks. All packets of hexagonal meshes and of tori p^d, p odd and d a power of two, are in one.
//     types    A packet and its twin, to x and -x, take mirrored routes; degree / 2 such pairs make a block if their hops
//              over each pair of opposite ports add up to k (type_sets.hpp).
//
//     twisted-torus:8x16    k = 3    types (1,2) and (2,1): a block of 4 packets in 3 rounds
//
// Packets without a block are left to other means (ejection_search.hpp). Claim: of the types 0 to 7 pairs of a distance
// are left on twisted tori. Cost: 2^24 steps per distance.
// Source: D. Koenig, 1916 (matchings of regular bipartite graphs).
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/algorithm/exchange/route_sets.hpp"

namespace isotrope::algorithm {

struct PerfectBlock {
  std::vector<std::uint32_t> packets;             ///< as many as ports
  std::vector<std::vector<network::Port>> ports;  ///< by packet: the port of every round

  std::size_t length() const { return ports.front().size(); }
};

/// Blocks without a common packet, the shortest first.
std::vector<PerfectBlock> perfect_blocks(const network::Network& network,
                                         std::span<const schedule::RelativeDestination> destinations,
                                         const RouteSets& routes, std::uint32_t seed);

}  // namespace isotrope::algorithm

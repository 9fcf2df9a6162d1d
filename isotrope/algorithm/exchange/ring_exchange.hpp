// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Exchange on a ring of even extent n, better than any that treats all nodes alike: packets for the node
// opposite, n / 2 away, go forwards from even origins and backwards from odd ones.
//
//     n = 4, forwards       even origins    1 hop: a    2 hops: b        odd origins    1 hop: c
//
//     round    links from even nodes    links from odd nodes
//       0              b                         c
//       1              a                         b                       2 rounds; all alike take 3
//
// So the two directions carry the same, n^2 / 4 hops a pair of neighbouring nodes; a packet uses links of
// even and odd nodes in turn, and of those that wait at a link the one with farthest to go leaves first. What
// goes backwards is the mirror image of this, even and odd exchanged.
//
// Claim: for all distances 1..n/2, ceil(n^2 / 8) rounds, which is the bound by links, as long as n is at most
// 200 (ring_exchange_test.cpp). Cost: O(n^2 log n).
#pragma once

#include <cstdint>
#include <vector>

namespace isotrope::algorithm {

/// A hop forwards, the same for all packets of their kind.
struct RingHop {
  bool odd_origin;
  std::uint32_t distance;  ///< from origin to destination
  std::uint32_t done;      ///< hops behind it

  bool operator==(const RingHop&) const = default;
};

/// The hops forwards of packets for distances nearest..min(farthest, extent/2), half-way round from even
/// origins only: a round has one hop at most from even nodes and one from odd nodes. @pre extent is even and
/// nearest >= 1.
std::vector<std::vector<RingHop>> ring_exchange(std::uint32_t extent, std::uint32_t nearest,
                                                std::uint32_t farthest);

}  // namespace isotrope::algorithm

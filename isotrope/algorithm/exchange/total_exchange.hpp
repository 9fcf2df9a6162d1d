// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Total exchange (alltoall) on a hypercube in the least time, every link busy in every round, all ports.
//
// Recursive construction of the paper: the (d+1)-cube is two d-cubes. Phase 1 exchanges inside each, phase 2 sends
// across the packets for the other half, phase 3 exchanges inside each the packets that came across. Phase 2
// overlaps with both others because packets cross in the order in which phase 3 needs them. Unrolled, a node's own
// packets leave port k in rounds 0 .. 2^k - 1 in the order of column k of a table that grows with the dimension:
//
//     port 0   1                     column k: for each row of the table of columns 0..k-1, from the top,
//     port 1   3 2                             its entries from the left with bit k set; then 2^k
//     port 2   5 7 6 4
//     port 3   9 11 13 10 15 14 12 8
//
// From round 2^k on the port forwards, in the same order, the packets of the origins that differ in higher bits:
//
//     round t, port k, g = t >> k, r = t mod 2^k:    packet of origin 0 for (g << k+1) | column_k[r], now at
//     g << k+1
//
// Claims, for every d from 1 and P parts: 2^(d-1) P rounds, the distance-sum bound, and d 2^(2d-1) P transmissions,
// the least possible. Cost: O(hops), 4 * 2^d bytes of table. Source: Bertsekas et al. 1991, Section 4 and Fig. 6.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// The table above for ports 0..dimension-1 (dimension 1..26).
class OwnPacketOrder {
 public:
  explicit OwnPacketOrder(std::uint32_t dimension);

  /// The relative destinations of the packets that leave over `port`, in order; 2^port of them.
  std::span<const std::uint32_t> column(std::uint32_t port) const {
    const std::size_t length = std::size_t{1} << port;
    return {entries_.data() + length, length};
  }

 private:
  std::vector<std::uint32_t> entries_;  // column k begins at 2^k
};

/// The schedule for 2^dimension nodes (1..26) and `parts` >= 1 parts: one stage, moved, replicated to all
/// origins.
schedule::Schedule total_exchange(std::uint32_t dimension, std::uint32_t parts);

}  // namespace isotrope::algorithm

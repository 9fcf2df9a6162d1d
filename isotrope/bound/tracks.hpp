// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The tracks bound, for schedules without waiting: a packet is an interval of as many rounds as it has hops, in each of
// which it crosses a link. So at most as many packets are under way at once as there is room on links, and intervals of
// which at most m overlap fall into m tracks of disjoint ones (interval graphs are perfect). Of the r m + 1 longest
// packets r + 1 share a track:
//
//     T >= the sum of the r + 1 smallest among the r m + 1 largest lengths, for every r
//
//     neighborhood:3:3 on torus:5x5x5    32 packets of 3 hops, 6 ports: distance-sum 16, tracks ceil(32 / 6) * 3 = 18
#pragma once

#include <cstdint>
#include <vector>

namespace isotrope::bound {

/// The bound for packets of these lengths, in any order, of which at most `tracks` >= 1 are under way in a round.
std::uint64_t track_rounds(std::vector<std::uint64_t> lengths, std::uint64_t tracks);

}  // namespace isotrope::bound

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/tracks.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/bound/lower_bounds.hpp"

namespace isotrope::bound {
namespace {

// The least largest sum of `lengths` in so many tracks, by exhaustion.
std::uint64_t least_largest_track(const std::vector<std::uint64_t>& lengths, std::size_t i,
                                  std::vector<std::uint64_t>& tracks) {
  if (i == lengths.size()) return std::ranges::max(tracks);
  std::uint64_t least = UINT64_MAX;
  for (std::uint64_t& track : tracks) {
    track += lengths[i];
    least = std::min(least, least_largest_track(lengths, i + 1, tracks));
    track -= lengths[i];
  }
  return least;
}

TEST(Tracks, never_exceed_the_least_largest_track) {
  std::mt19937 random(1);
  std::uint64_t met = 0;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::uint64_t> lengths(1 + random() % 7);
    for (std::uint64_t& length : lengths) length = 1 + random() % 5;
    std::vector<std::uint64_t> tracks(1 + random() % 3, 0);
    const std::uint64_t least = least_largest_track(lengths, 0, tracks);
    EXPECT_LE(track_rounds(lengths, tracks.size()), least);
    met += track_rounds(lengths, tracks.size()) == least ? 1 : 0;
  }
  EXPECT_GT(met, 50u);
}

TEST(Tracks, rule_out_kernels_of_hypercubes) {
  EXPECT_EQ(track_rounds({3, 2, 2, 2}, 3), 4u);  // d + 1 packets longer than d / 2 in d tracks of d rounds
}

TEST(Tracks, bound_neighbourhoods_of_far_nodes) {
  const auto network = network::parse("torus:5x5x5");
  const auto task = schedule::parse_task("neighborhood:3:3", network, 0, 1);
  const auto without = lower_bounds({.network = network, .task = task, .waiting = false});
  EXPECT_EQ(without.front().kind, "tracks");
  EXPECT_EQ(without.front().value, 18u);
  EXPECT_EQ(lower_bounds({.network = network, .task = task}).front().value, 16u);
}

}  // namespace
}  // namespace isotrope::bound

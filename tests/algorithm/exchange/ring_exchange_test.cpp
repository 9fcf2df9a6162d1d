// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <map>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/algorithm/exchange/even_axis_exchange.hpp"

namespace isotrope::algorithm {
namespace {

using testing::ElementsAre;

TEST(RingExchange, of_four_nodes_by_hand) {
  EXPECT_THAT(ring_exchange(4, 1, 2), ElementsAre(ElementsAre(RingHop{false, 2, 0}, RingHop{true, 1, 0}),
                                                  ElementsAre(RingHop{false, 1, 0}, RingHop{false, 2, 1})));
}

// What is wrong with the rounds: "" where every packet goes its way hop after hop, and no link has two.
std::string fault(std::uint32_t extent, std::uint32_t nearest, std::uint32_t farthest) {
  std::map<std::pair<bool, std::uint32_t>, std::uint32_t> done;  // by parity of the origin and distance
  for (const auto& round : ring_exchange(extent, nearest, farthest)) {
    std::array<int, 2> used{};
    for (const RingHop hop : round) {
      if (done[{hop.odd_origin, hop.distance}] != hop.done) return "a hop from where the packet is not";
      ++used[(hop.odd_origin ? 1 : 0) ^ (hop.done % 2)];
    }
    for (const RingHop hop : round) ++done[{hop.odd_origin, hop.distance}];
    if (used[0] > 1 || used[1] > 1 || round.empty()) return "a link with two packets, or an empty round";
  }
  std::size_t packets = 0;
  for (std::uint32_t distance = nearest; distance <= std::min(farthest, extent / 2); ++distance) {
    for (const bool odd : {false, true}) {
      if (odd && distance == extent / 2) continue;
      ++packets;
      if (done[{odd, distance}] != distance) return "a packet that does not arrive";
    }
  }
  return done.size() == packets ? "" : "a packet too many";
}

TEST(RingExchange, delivers_every_packet) {
  for (std::uint32_t extent = 2; extent <= 20; extent += 2) {
    for (std::uint32_t nearest = 1; nearest <= extent / 2; ++nearest) {
      for (std::uint32_t farthest = nearest; farthest <= extent / 2 + 1; ++farthest) {
        EXPECT_EQ(fault(extent, nearest, farthest), "") << extent << " " << nearest << " " << farthest;
      }
    }
  }
}

// n^2 / 4 hops forwards for every two neighbouring nodes, over two links: ceil(n^2 / 8) at least.
TEST(RingExchange, takes_the_rounds_of_the_bound) {
  for (std::uint32_t n = 2; n <= 200; n += 2) EXPECT_EQ(ring_exchange(n, 1, n).size(), (n * n + 7) / 8) << n;
}

}  // namespace
}  // namespace isotrope::algorithm

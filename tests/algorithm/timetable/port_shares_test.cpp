// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/timetable/port_shares.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isotrope::algorithm {
namespace {

using testing::ElementsAre;

std::vector<std::uint64_t> loads_of(std::span<const PortClaim> claims, network::Port degree) {
  std::vector<std::uint64_t> loads(degree, 0);
  for (const PortClaim& claim : claims) {
    for (std::size_t k = 0; k < claim.ports.size(); ++k) loads[claim.ports[k]] += claim.shares[k];
  }
  return loads;
}

// Packets that may take no port but those of a set must share these evenly at best (Hall); the worst set
// counts. Cost: O(2^degree claims).
std::uint64_t least_largest_load(std::span<const PortClaim> claims, network::Port degree) {
  std::uint64_t most = 0;
  for (std::uint32_t set = 1; set < std::uint32_t{1} << degree; ++set) {
    std::uint64_t packets = 0;
    for (const PortClaim& claim : claims) {
      const bool is_inside =
          std::ranges::all_of(claim.ports, [set](network::Port port) { return (set >> port & 1) != 0; });
      if (is_inside) packets += claim.packets;
    }
    const auto size = static_cast<std::uint64_t>(std::popcount(set));
    most = std::max(most, (packets + size - 1) / size);
  }
  return most;
}

// The drawing of port_shares.hpp: 10 packets over 3 ports, one of which must carry 4.
TEST(PortShares, of_three_claims) {
  std::vector<PortClaim> claims{{{0, 1}, 3}, {{0, 2}, 4}, {{2}, 3}};
  share_out(claims, 3);
  EXPECT_THAT(claims[2].shares, ElementsAre(3U));
  const auto loads = loads_of(claims, 3);
  EXPECT_EQ(*std::ranges::max_element(loads), 4U);
  EXPECT_EQ(std::accumulate(loads.begin(), loads.end(), std::uint64_t{0}), 10U);
}

// Poured first, the claim with a choice takes half of port 1; the other leaves it no room there.
TEST(PortShares, moves_what_was_poured_too_early) {
  std::vector<PortClaim> claims{{{0, 1}, 10}, {{1, 2}, 10}, {{2}, 10}};
  share_out(claims, 3);
  EXPECT_THAT(loads_of(claims, 3), ElementsAre(10U, 10U, 10U));
  claims = {{{0, 1}, 6}, {{1}, 6}};
  share_out(claims, 2);
  EXPECT_THAT(claims[0].shares, ElementsAre(6U, 0U));
}

TEST(PortShares, are_empty_where_there_is_nothing_to_share) {
  std::vector<PortClaim> claims{{{1, 0}, 0}};
  share_out(claims, 2);
  EXPECT_THAT(claims[0].shares, ElementsAre(0U, 0U));
  share_out({}, 3);
}

TEST(PortShares, have_the_least_largest_load) {
  std::mt19937 random(7);
  const auto below = [&random](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  for (int trial = 0; trial < 400; ++trial) {
    const network::Port degree = 1 + below(6);
    std::vector<PortClaim> claims(1 + below(9));
    for (PortClaim& claim : claims) {
      const std::uint32_t set = 1 + below((1U << degree) - 1);
      for (network::Port port = 0; port < degree; ++port) {
        if ((set >> port & 1) != 0) claim.ports.push_back(port);
      }
      std::ranges::shuffle(claim.ports, random);
      claim.packets = below(30);
    }

    share_out(claims, degree);

    for (const PortClaim& claim : claims) {
      EXPECT_EQ(std::accumulate(claim.shares.begin(), claim.shares.end(), std::uint64_t{0}), claim.packets);
    }
    const auto loads = loads_of(claims, degree);
    EXPECT_EQ(*std::ranges::max_element(loads), least_largest_load(claims, degree)) << trial;
  }
}

}  // namespace
}  // namespace isotrope::algorithm

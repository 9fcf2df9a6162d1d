// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/even_axis_exchange.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/algorithm/exchange_check.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;

TEST(EvenAxisExchange, needs_one_even_axis) {
  EXPECT_EQ(lone_even_axis(network::parse("torus:3x4"))->coordinate, 1);
  EXPECT_EQ(lone_even_axis(network::parse("ring:6"))->extent, 6);
  EXPECT_EQ(lone_even_axis(network::parse("torus:5x8x1x3"))->coordinate, 1);
  for (const char* name :
       {"torus:3x5", "torus:4x6", "torus:2x4", "torus:2x3", "circulant:12:1,5", "hexmesh:3"}) {
    EXPECT_FALSE(lone_even_axis(network::parse(name))) << name;
  }
}

// The drawing of the header.
TEST(EvenAxisExchange, has_a_row_for_each_direction_of_the_ring) {
  const Network torus = network::parse("torus:3x4");
  const auto destinations = relative_destinations(torus, schedule::parse_task("alltoall", torus));
  const EvenAxisExchange exchange(torus, *lone_even_axis(torus), destinations, 1, 1, 12);
  EXPECT_THAT(exchange.matrix().column_sums(), testing::ElementsAre(4, 4, 6, 6));
  EXPECT_EQ(exchange.matrix().rows(), 8 + 2);
  EXPECT_EQ(exchange.odd_origin(), 1);
}

// ceil(n^2 / 8), where schedules in which all nodes do the same need n (n + 2) / 8.
TEST(EvenAxisExchange, takes_the_rounds_of_the_bound_on_rings) {
  for (std::uint32_t n = 4; n <= 40; n += 2) {
    const verify::Report report = check_exchange("ring:" + std::to_string(n));
    EXPECT_TRUE(report.valid && report.claims_hold && report.optimal) << n;
    EXPECT_EQ(report.rounds, (n * n + 7) / 8) << n;
  }
}

TEST(EvenAxisExchange, takes_the_rounds_of_the_bound_on_tori) {
  const auto rounds = [](const char* name, std::uint64_t parts = 1) {
    const verify::Report report = check_exchange(name, "alltoall", parts);
    EXPECT_TRUE(report.valid && report.claims_hold && report.optimal) << name;
    return report.rounds;
  };
  EXPECT_EQ(rounds("torus:3x4"), 6);
  EXPECT_EQ(rounds("torus:4x3"), 6);
  EXPECT_EQ(rounds("torus:3x6"), 14);
  EXPECT_EQ(rounds("torus:5x6"), 23);
  EXPECT_EQ(rounds("torus:3x8"), 24);
  EXPECT_EQ(rounds("torus:5x10"), 63);
  EXPECT_EQ(rounds("torus:3x3x4"), 18);
  EXPECT_EQ(rounds("torus:3x5x6"), 68);
  EXPECT_EQ(rounds("torus:3x6", 2), 27);
  EXPECT_EQ(rounds("torus:3x6", 3), 41);
  EXPECT_EQ(rounds("ring:6", 3), 14);
}

}  // namespace
}  // namespace isotrope::algorithm

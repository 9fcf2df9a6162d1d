// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/total_exchange.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/algorithm/claims.hpp"

namespace isotrope::algorithm {
namespace {

using testing::Each;
using testing::ElementsAre;

// Bertsekas et al. 1991, Fig. 6.
TEST(OwnPacketOrder, is_figure_6_of_the_paper) {
  const OwnPacketOrder order(4);
  EXPECT_THAT(order.column(0), ElementsAre(1));
  EXPECT_THAT(order.column(1), ElementsAre(3, 2));
  EXPECT_THAT(order.column(2), ElementsAre(5, 7, 6, 4));
  EXPECT_THAT(order.column(3), ElementsAre(9, 11, 13, 10, 15, 14, 12, 8));
}

TEST(OwnPacketOrder, lists_every_destination_once_under_its_highest_bit) {
  const OwnPacketOrder order(16);
  for (std::uint32_t port = 0; port < 16; ++port) {
    std::vector<std::uint32_t> column(order.column(port).begin(), order.column(port).end());
    EXPECT_EQ(column.back(), std::uint32_t{1} << port);
    std::sort(column.begin(), column.end());
    for (std::uint32_t i = 0; i < column.size(); ++i) EXPECT_EQ(column[i], (std::uint32_t{1} << port) + i);
  }
}

// Eq. (6): within the first n rounds a node sends at most 2^(d-1) + n - 1 packets of its own.
TEST(OwnPacketOrder, keeps_the_invariant_of_the_recursion) {
  for (std::uint64_t d = 1; d <= 16; ++d) {
    for (std::uint64_t n = 1; n <= std::uint64_t{1} << (d - 1); ++n) {
      std::uint64_t sent = 0;
      for (std::uint64_t port = 0; port < d; ++port) sent += std::min(n, std::uint64_t{1} << port);
      ASSERT_LE(sent, (std::uint64_t{1} << (d - 1)) + n - 1);
    }
  }
}

TEST(TotalExchange, is_optimal_with_every_link_busy_in_every_round) {
  for (std::uint32_t d = 1; d <= 18; ++d) {
    const verify::Report report = check_on_hypercube(d, "alltoall", total_exchange(d, 1));
    const std::uint64_t n = std::uint64_t{1} << d;
    EXPECT_TRUE(report.optimal && report.claims_hold) << d;
    EXPECT_EQ(report.rounds, n / 2);
    EXPECT_EQ(report.transmissions, d * n * n / 2);
    EXPECT_THAT(report.links_used, Each(d * n));
  }
}

TEST(TotalExchange, is_optimal_for_any_number_of_parts) {
  for (std::uint32_t d = 1; d <= 8; ++d) {
    for (std::uint32_t parts = 2; parts <= 5; ++parts) {
      const verify::Report report = check_on_hypercube(d, "alltoall", total_exchange(d, parts), 0, parts);
      EXPECT_TRUE(report.optimal) << d << " " << parts;
    }
  }
}

}  // namespace
}  // namespace isotrope::algorithm

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scatter/binomial_scatter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/algorithm/claims.hpp"

namespace isotrope::algorithm {
namespace {

using schedule::Hop;
using schedule::PortModel;

TEST(BinomialScatter, sends_in_descending_order_along_the_tree) {
  const schedule::Schedule schedule = binomial_scatter(2, 0, 1, PortModel::one());
  const schedule::Rounds& rounds = schedule.stages[0].rounds;
  ASSERT_EQ(rounds.size(), 3u);
  EXPECT_THAT(rounds.round(0), testing::ElementsAre(Hop{3, 0, 0}));
  EXPECT_THAT(rounds.round(1), testing::UnorderedElementsAre(Hop{3, 1, 1}, Hop{2, 0, 1}));
  EXPECT_THAT(rounds.round(2), testing::ElementsAre(Hop{1, 0, 0}));
}

TEST(BinomialScatter, is_optimal_in_rounds_and_transmissions) {
  for (std::uint32_t d = 1; d <= 12; ++d) {
    for (std::uint32_t parts = 1; parts <= 3; ++parts) {
      for (PortModel ports : {PortModel::one(), PortModel::half()}) {
        const network::Node root = (std::uint32_t{1} << d) / 3;
        const verify::Report report =
            check_on_hypercube(d, "scatter", binomial_scatter(d, root, parts, ports), root, parts);
        EXPECT_TRUE(report.optimal && report.claims_hold) << d << " " << parts << " " << to_string(ports);
        EXPECT_EQ(report.transmissions, (std::uint64_t{d} << (d - 1)) * parts);
      }
    }
  }
}

}  // namespace
}  // namespace isotrope::algorithm

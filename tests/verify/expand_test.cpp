// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Checking in the quotient and checking the plan written out in full must agree in everything measured.
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/verify/verify.hpp"

#include "tests/verify/sample_plans.hpp"

namespace isotrope::verify {
namespace {

class Expand : public testing::TestWithParam<std::string_view> {};

TEST_P(Expand, changes_nothing_that_is_measured) {
  for (const schedule::Plan& plan : sample_plans(GetParam())) {
    const schedule::Plan full = expand(plan);
    const Report quotient = verify(plan), whole = verify(full);

    ASSERT_TRUE(whole.claims_hold) << to_string(plan.task) << ": " << whole.violations[0].message;
    EXPECT_EQ(whole.hops, quotient.transmissions);
    EXPECT_EQ(whole.transmissions, quotient.transmissions);
    EXPECT_EQ(whole.rounds, quotient.rounds);
    EXPECT_EQ(whole.optimal, quotient.optimal);
    EXPECT_EQ(whole.links_used, quotient.links_used);
    EXPECT_EQ(whole.link_load, quotient.link_load);
    EXPECT_EQ(whole.busiest_link, quotient.busiest_link);
    EXPECT_DOUBLE_EQ(whole.mean_delay, quotient.mean_delay);
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, Expand, testing::ValuesIn(sample_networks()),
                         [](const auto& network) { return "network_" + std::to_string(network.index); });

TEST(Expand, refuses_what_would_not_fit) {
  schedule::Plan plan = sample_plans("hypercube:3").front();
  schedule::Rounds rounds;
  for (std::uint64_t i = 0; i <= (std::uint64_t{1} << 28) / 8; ++i) rounds.add({0, 0, 0});
  rounds.close_round();
  plan.schedule.stages[0].rounds = std::move(rounds);

  EXPECT_THROW(expand(plan), Error);
}

}  // namespace
}  // namespace isotrope::verify

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/farthest_first_exchange.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/delivery.hpp"
#include "isotrope/schedule/symmetries.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/verify/verify.hpp"

namespace isotrope::algorithm {
namespace {

using network::parse_named;
using testing::HasSubstr;
using testing::ThrowsMessage;

schedule::Problem problem_of(std::string_view name, std::uint32_t parts) {
  auto [network, lacks] = parse_named(name);
  return {.network = std::move(network), .failed = std::move(lacks), .task = {.parts = parts}};
}

constexpr std::uint64_t any_rounds = 1000;

schedule::Schedule exchange(const schedule::Problem& problem, std::uint64_t target = any_rounds) {
  return farthest_first_exchange(problem.network, *product_axes(problem.network, problem.failed.open_axes),
                                 problem.task.parts, {.target = target});
}

verify::Report check(std::string_view name, std::uint32_t parts = 1) {
  const schedule::Problem problem = problem_of(name, parts);
  const schedule::Bound bound = bound::lower_bounds(problem).front();
  schedule::Schedule schedule = exchange(problem, bound.value);
  const schedule::Claims claims{schedule.round_count(), schedule.hop_count(), {}, {}};
  return verify::verify({problem.network, problem.failed, problem.task, std::move(schedule), bound, claims});
}

// Both links of the middle node are busy in both rounds; the packets of two hops go first.
TEST(FarthestFirstExchange, sends_far_packets_first) {
  const schedule::Problem problem = problem_of("line:3", 1);
  const schedule::Schedule schedule = exchange(problem, 2);
  const schedule::Rounds& rounds = schedule.stages.front().rounds;
  ASSERT_EQ(rounds.size(), 2);
  using schedule::Hop;
  EXPECT_THAT(rounds.round(0), testing::ElementsAre(Hop{1, 0, 0}, Hop{3, 1, 0}, Hop{2, 1, 1}, Hop{4, 2, 1}));
  EXPECT_THAT(rounds.round(1), testing::ElementsAre(Hop{0, 0, 0}, Hop{1, 1, 0}, Hop{4, 1, 1}, Hop{5, 2, 1}));
}

TEST(FarthestFirstExchange, lists_the_packets_of_the_deliveries) {
  const schedule::Problem problem = problem_of("mesh:3x5", 2);
  EXPECT_EQ(exchange(problem).stages.front().packets, packets_of(problem.network, deliveries_of(problem), 2));
}

// Whatever the axes, in any order: the bound, by a schedule that is the same after every reflection and translation.
TEST(FarthestFirstExchange, is_symmetric_if_the_bound_allows) {
  for (const char* name :
       {"line:4", "mesh:4x4", "mesh:4x6", "mesh:3x4x5", "mesh:2x4x4", "line:4xring:8", "ring:5xline:4",
        "line:5xhypercube:3", "line:6xcomplete:4", "mesh:4x4@2,1", "line:4xring:4xline:6", "torus:3x3"}) {
    const schedule::Problem problem = problem_of(name, 1);
    const std::uint64_t bound = bound::lower_bounds(problem).front().value;
    const schedule::Schedule schedule = exchange(problem, bound);
    const schedule::Stage& stage = schedule.stages.front();
    EXPECT_EQ(schedule.round_count(), bound) << name;
    EXPECT_EQ(stage.symmetry, schedule::symmetry_axes(problem.network, problem.failed)) << name;
    EXPECT_TRUE(schedule::has_symmetry(problem.network, stage)) << name;
  }
  // Three packets of a node have the choice between both ways round the ring.
  EXPECT_TRUE(exchange(problem_of("line:3xring:8", 1), 24).stages.front().symmetry.empty());
}

TEST(FarthestFirstExchange, counts_its_hops) {
  for (const char* name : {"line:5", "mesh:3x4", "ring:6xcomplete:4", "hypercube:3xline:3"}) {
    const schedule::Problem problem = problem_of(name, 3);
    const auto axes = product_axes(problem.network, problem.failed.open_axes);
    EXPECT_EQ(exchange(problem).hop_count(), exchange_hops(problem.network, *axes, 3)) << name;
  }
  const auto [line, lacks] = parse_named("line:70000");
  EXPECT_EQ(exchange_hops(line, *product_axes(line, lacks.open_axes), 1), UINT64_MAX);
}

// Whatever the parts, as one axis has one class.
TEST(FarthestFirstExchange, meets_the_bound_on_one_axis) {
  for (const char* family : {"line", "ring", "complete"}) {
    for (int nodes = family == std::string("complete") ? 2 : 3; nodes <= 14; ++nodes) {
      for (const std::uint32_t parts : {1U, 2U, 3U}) {
        const std::string name = std::string(family) + ":" + std::to_string(nodes);
        const verify::Report report = check(name, parts);
        EXPECT_TRUE(report.valid && report.claims_hold) << name;
        EXPECT_EQ(report.rounds, report.bound.value) << name << " in " << parts;
      }
    }
  }
}

TEST(FarthestFirstExchange, meets_the_bound_on_products) {
  const std::vector<std::string> factors{"line:2", "line:3", "line:4",     "line:5",     "ring:3",
                                         "ring:4", "ring:5", "complete:4", "hypercube:2"};
  for (const std::string& first : factors) {
    for (const std::string& second : factors) {
      for (const std::uint32_t parts : {1U, 2U, 3U}) {
        const std::string name = first + "x" + second;
        const verify::Report report = check(name, parts);
        EXPECT_TRUE(report.valid && report.claims_hold) << name;
        EXPECT_EQ(report.rounds, report.bound.value) << name << " in " << parts;
      }
    }
  }
}

// The bound by hand: N P / p times floor(p^2 / 4), half of it on rings.
TEST(FarthestFirstExchange, meets_the_bound_on_larger_networks) {
  const auto rounds = [](const char* name, std::uint32_t parts = 1) {
    const verify::Report report = check(name, parts);
    EXPECT_TRUE(report.valid && report.claims_hold && report.optimal) << name;
    return report.rounds;
  };
  EXPECT_EQ(rounds("mesh:8x8"), 128);
  EXPECT_EQ(rounds("mesh:4x4x4"), 64);
  EXPECT_EQ(rounds("mesh:3x4x5"), 72);
  EXPECT_EQ(rounds("mesh:5x7", 3), 180);
  EXPECT_EQ(rounds("torus:8x8"), 64);
  EXPECT_EQ(rounds("torus:4x4x4"), 32);
  EXPECT_EQ(rounds("hypercube:6"), 32);
  EXPECT_EQ(rounds("complete:8xcomplete:8"), 8);
  EXPECT_EQ(rounds("line:8xring:16"), 256);
  EXPECT_EQ(rounds("line:5xhypercube:3"), 48);
  EXPECT_EQ(rounds("ring:9xcomplete:4"), 40);
  EXPECT_EQ(rounds("hypercube:2xline:3xcomplete:3"), 24);
}

TEST(FarthestFirstExchange, is_the_same_again) {
  const schedule::Problem problem = problem_of("line:4xring:6xline:3", 1);
  EXPECT_EQ(exchange(problem), exchange(problem));
}

TEST(FarthestFirstExchange, refuses_lists_that_are_too_long) {
  EXPECT_THAT([] { exchange(problem_of("line:100", 1U << 20U)); },
              ThrowsMessage<Error>(HasSubstr("give fewer parts")));
}

}  // namespace
}  // namespace isotrope::algorithm

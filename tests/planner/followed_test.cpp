// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Choices whose messages are followed one by one: the plan takes as long as predicted, and it is the fastest.
#include <algorithm>
#include <cstdint>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/cost/routed_completion.hpp"
#include "isotrope/cost/shares.hpp"

#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/choice.hpp"

#include "tests/planner/wanted.hpp"

namespace isotrope::planner {
namespace {

Choice chosen(const std::string& network, const char* collective, std::uint64_t bytes, Detail detail,
              double overhead_s = 1e-6) {
  const network::Network parsed = network::parse(network);
  return choose_for({.network = parsed,
                     .task = schedule::parse_task(collective, parsed),
                     .ports = schedule::PortModel::all()},
                    bytes, simgrid_machine(overhead_s), {.associative = true}, {}, detail);
}

// Every message of every node. The ports of the plan are numbered in the order of sends.
double followed(const Choice& choice, const schedule::Plan& plan) {
  const Candidate& best = choice.best();
  const cost::RoutedMessages messages(plan.network, plan.failed, schedule::hop_network(plan), plan.schedule,
                                      plan.task, plan.chains);
  std::uint64_t steps = std::uint64_t{1} << 26;
  const auto part_bytes = cost::part_bytes_of_shares(best.block_bytes, best.prediction.segments, plan.shares);
  const schedule::SendOrder order{.nearest_first = best.parameters.send_order.nearest_first};
  return messages.completion(part_bytes, choice.machine, steps, order).value_or(0);
}

class Followed : public testing::TestWithParam<const char*> {};

TEST_P(Followed, plans_take_as_long_as_predicted) {
  unsigned over_overlays = 0, over_links = 0;
  for (const char* collective :
       {"broadcast", "reduce", "allreduce", "allgather", "reduce-scatter", "scatter", "alltoall"}) {
    for (const std::uint64_t bytes : {64U, 1024U, 4096U, 16384U, 65536U}) {
      const Choice choice = chosen(GetParam(), collective, bytes, Detail::winner);
      const Candidate& best = choice.best();
      if (!best.prediction.is_followed || !best.parameters.shares.empty()) continue;
      const schedule::Plan plan = make_plan(best);
      EXPECT_TRUE(verify::verify(plan).valid);
      // Messages of a byte more than others are counted as long as these.
      EXPECT_NEAR(best.prediction.seconds, followed(choice, plan), 1e-3 * best.prediction.seconds)
          << collective << " " << bytes << " " << best.name();
      ++(best.over_overlay() ? over_overlays : over_links);
    }
  }
  EXPECT_GT(over_overlays, 2u);
  EXPECT_GT(over_overlays + over_links, 8u);
}

// Messages that go unlike distances share links at unlike times, so rounds say little there.
TEST_P(Followed, direct_exchanges_are_so_without_overheads_too) {
  const Choice choice = chosen(GetParam(), "alltoall", 65536, Detail::all, 0);
  const auto direct = std::ranges::find_if(choice.candidates, [](const Candidate& candidate) {
    return candidate.algorithm->traits().name == "linear-exchange";
  });
  ASSERT_NE(direct, choice.candidates.end());
  EXPECT_TRUE(direct->prediction.is_followed);
  EXPECT_NEAR(choice.best().prediction.seconds, choice.bound.seconds, 0.1 * choice.bound.seconds);
}

// Candidates that a prediction has left behind come back if its messages take longer.
TEST_P(Followed, choices_are_the_same_with_all_candidates) {
  for (const char* collective : {"broadcast", "reduce", "allreduce"}) {
    for (const std::uint64_t bytes : {64U, 4096U, 65536U}) {
      const Choice all = chosen(GetParam(), collective, bytes, Detail::all);
      const Choice winner = chosen(GetParam(), collective, bytes, Detail::winner);
      EXPECT_NEAR(winner.best().prediction.seconds, all.best().prediction.seconds,
                  1e-9 * all.best().prediction.seconds)
          << collective << " " << bytes << ": " << winner.best().name() << ", " << all.best().name();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, Followed,
                         testing::Values("torus:4x4", "ring:9", "ring:16", "torus:3x5", "torus:3x3x3",
                                         "hexmesh:3", "hypercube:4", "circulant:13:1,5"));

// The best known before took 30.2, 19.2 and 78.6 us.
TEST(Followed, broadcasts_of_copies_go_through_their_rounds_by_themselves) {
  EXPECT_LT(chosen("torus:4x4", "broadcast", 16384, Detail::winner).best().prediction.seconds, 30.2e-6);
  EXPECT_LT(chosen("ring:27", "broadcast", 64, Detail::winner).best().prediction.seconds, 19.5e-6);
  EXPECT_LT(chosen("hypercube:6", "broadcast", 65536, Detail::winner).best().prediction.seconds, 78.6e-6);
}

// The best known before took 24.8, 12.3 and 17.0 us.
TEST(Followed, choices_are_near_the_best_known) {
  const Choice broadcast = chosen("hypercube:6", "broadcast", 4096, Detail::winner);
  EXPECT_LT(broadcast.best().prediction.seconds, 1.01 * 24.8e-6) << broadcast.best().name();
  EXPECT_TRUE(broadcast.best().parameters.send_order.last_port_first);
  EXPECT_NEAR(followed(broadcast, make_plan(broadcast.best())), broadcast.best().prediction.seconds, 1e-8);
  EXPECT_LT(chosen("torus:3x5", "allreduce", 256, Detail::winner).best().prediction.seconds, 12.3e-6);
  EXPECT_LT(chosen("torus:4x8", "allreduce", 16384, Detail::winner, 0).best().prediction.seconds, 17.1e-6);
}

// All ports of a node in shares, not the busiest one of each round alone.
TEST(Followed, plans_in_shares_take_as_long_as_predicted) {
  unsigned in_shares = 0;
  for (const char* network : {"torus:4x8", "torus:6x8", "torus:3x5", "ring:16", "hexmesh:3"}) {
    for (const std::uint64_t bytes : {4096U, 16384U, 65536U}) {
      const Choice choice = chosen(network, "allreduce", bytes, Detail::winner, 0);
      const Candidate& best = choice.best();
      if (best.parameters.shares.empty()) continue;
      const schedule::Plan plan = make_plan(best);
      EXPECT_TRUE(verify::verify(plan).valid);
      EXPECT_NEAR(best.prediction.seconds, followed(choice, plan), 1e-3 * best.prediction.seconds)
          << network << " " << bytes << " " << best.name();
      ++in_shares;
    }
  }
  EXPECT_GT(in_shares, 8u);
}

// Six copies with links of their own, each in its own time: the last copy first, and backwards the first one.
TEST(Followed, copies_take_turns_so_that_links_are_free) {
  for (const char* collective : {"allgather", "reduce-scatter"}) {
    const Choice choice = chosen("hypercube:6", collective, 4096, Detail::winner);
    EXPECT_LT(choice.best().prediction.seconds, 91.9e-6) << choice.best().name();
    EXPECT_TRUE(verify::verify(make_plan(choice.best())).valid);
  }
}

}  // namespace
}  // namespace isotrope::planner

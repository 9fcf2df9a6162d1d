// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A program's own algorithm beside those of the catalogue. The catalogue of the whole process changes, so these
// tests have an executable to themselves.
#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/interruption.hpp"

#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/choice.hpp"
#include "isotrope/planner/comparison.hpp"

#include "tests/planner/wanted.hpp"

namespace isotrope::planner {
namespace {

using schedule::Hop;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// Along the ring of the first port, away from the root: packet p leaves the i-th node in round p + i.
class ChainBroadcast final : public Algorithm {
 public:
  using Algorithm::Algorithm;

  std::optional<std::string> unsupported_reason(const Problem& problem) const override {
    if (problem.network.name().starts_with("circulant:")) return std::nullopt;
    return "it needs a circulant network, not " + problem.network.name();
  }
  schedule::Schedule schedule(const Problem& problem, const Parameters& /*parameters*/) const override {
    const std::uint32_t parts = problem.task.parts, links = problem.network.order() - 1;
    schedule::Stage stage{schedule::Flow::copy, schedule::Replication::none(), {}, {}};
    for (std::uint32_t t = 0; t + 1 < parts + links; ++t) {
      for (std::uint32_t i = t < parts ? 0 : t - parts + 1; i <= std::min(t, links - 1); ++i)
        stage.rounds.add(Hop{t - i, (problem.task.root + i) % problem.network.order(), 0});
      stage.rounds.close_round();
    }
    return {problem.ports, schedule::RoundKind::strict, {std::move(stage)}};
  }
};

Traits chain_traits(std::string name) {
  return {.name = std::move(name),
          .collective = Collective::broadcast,
          .networks = "circulant:N:1,...",
          .ports = "all, K, one",
          .source = "this test",
          .claim = "P + N - 2 rounds",
          .reversed = {"chain-reduce", ""},
          .reversed_then_forward = {"chain-allreduce", "2 (P + N - 2) rounds"},
          .barrier = {"chain-barrier", ""}};
}

class Registered : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    register_algorithm(std::make_unique<ChainBroadcast>(chain_traits("chain-broadcast")));
  }

  static bool has(std::string_view name, Collective collective) {
    return std::ranges::any_of(catalog(), [&](const Algorithm* algorithm) {
      return algorithm->name() == name && algorithm->traits().collective == collective;
    });
  }
};

const cost::Machine cluster{.startup_s = 2e-6, .byte_time_s = 1e-10};

TEST_F(Registered, is_in_the_catalogue_with_what_follows_from_it) {
  EXPECT_TRUE(has("chain-broadcast", Collective::broadcast));
  EXPECT_TRUE(has("chain-reduce", Collective::reduce));
  EXPECT_TRUE(has("chain-allreduce", Collective::allreduce));
  EXPECT_TRUE(has("chain-barrier", Collective::barrier));
}

// Over one port the layered tree sends every packet several times, and so many packets are beyond a search.
TEST_F(Registered, is_chosen_by_its_rounds) {
  Wanted wanted = wanted_on("circulant:1000:1,30", "broadcast", "one");
  wanted.problem.task.parts = 17000;
  EXPECT_EQ(choose(wanted).name(), "chain-broadcast");

  wanted = wanted_on("circulant:5:1,2", "broadcast", "one", "chain-broadcast");
  wanted.problem.task.parts = 100;
  schedule::Plan plan = make_plan(wanted);
  const verify::Report report = certify(plan);
  EXPECT_EQ(fault_of(report), "");
  EXPECT_EQ(report.rounds, 103u);
}

TEST_F(Registered, is_chosen_by_size) {
  const Problem problem = problem_on("circulant:1200:1,2", "broadcast", "one");
  const Choice choice = choose_for(problem, 1 << 27, cluster);
  EXPECT_EQ(choice.best().name(), "chain-broadcast");
  EXPECT_EQ(fault_of(verify::verify(make_plan(choice.best()))), "");

  const Comparison comparison = compare(problem, {1, 1 << 27}, cluster);
  EXPECT_EQ(comparison.curves[comparison.fastest.back()].name, "chain-broadcast");
  EXPECT_NE(std::ranges::find(comparison.curves, "layered-tree-broadcast", &Curve::name),
            comparison.curves.end());
}

TEST_F(Registered, is_reversed) {
  for (const char* collective : {"reduce", "barrier", "allreduce"}) {
    Wanted wanted = wanted_on("circulant:6:1,2", collective, "one", std::string("chain-") + collective);
    if (std::string_view(collective) == "reduce") wanted.problem.task.root = 4;
    if (std::string_view(collective) != "barrier") wanted.problem.task.parts = 7;
    schedule::Plan plan = make_plan(wanted);
    const verify::Report report = certify(plan);
    const std::uint64_t once = wanted.problem.task.parts + 6 - 2;
    EXPECT_EQ(fault_of(report), "") << collective;
    EXPECT_EQ(report.rounds, std::string_view(collective) == "reduce" ? once : 2 * once) << collective;
  }
}

// A broadcast has one block, so the allreduce that follows from it carries the whole vector.
TEST_F(Registered, allreduces_whole_vectors) {
  const Choice choice = choose_for(problem_on("circulant:6:1,2", "allreduce", "one"), 6000, cluster,
                                   {.algorithm = "chain-allreduce"});
  EXPECT_EQ(choice.best().block_bytes, 6000u);
}

TEST_F(Registered, says_what_it_does_not_support) {
  EXPECT_THAT(
      refusal_of(wanted_on("torus:4x4", "broadcast", "one", "chain-broadcast")),
      HasSubstr(
          "it needs a circulant network, not torus:4x4 (networks: circulant:N:1,...; ports: all, K, one)"));
  EXPECT_THAT(refusal_of(wanted_on("torus:4x4", "reduce", "one", "chain-reduce")),
              HasSubstr("it needs a circulant network, not torus:4x4"));
  EXPECT_THAT(refusal_of(wanted_on("ring:5", "broadcast", "one", "chain-brodcast")),
              HasSubstr("did you mean chain-broadcast"));
}

// A list that a thread goes through stays as it is.
TEST_F(Registered, others_may_plan_meanwhile) {
  const auto before = catalog();
  std::jthread planning([](const std::stop_token& stop) {
    while (!stop.stop_requested()) choose(wanted_on("circulant:7:1,2", "scatter", "one"));
  });
  for (int i = 0; i < 20; ++i) {
    Traits traits = chain_traits(fmt::format("chain-{}", i));
    traits.reversed = traits.reversed_then_forward = traits.barrier = {};
    register_algorithm(std::make_unique<ChainBroadcast>(std::move(traits)));
  }
  EXPECT_EQ(catalog().size(), before.size() + 20);
  EXPECT_EQ(catalog()[before.size() - 1], before.back());
}

TEST_F(Registered, planning_ends_when_its_caller_says_so) {
  struct Stopped {};
  int rounds = 0;
  const InterruptionCheck check([&] {
    if (++rounds == 10) throw Stopped();
  });
  Wanted wanted = wanted_on("circulant:50:1,2", "broadcast", "one", "chain-broadcast");
  EXPECT_THROW(make_plan(wanted), Stopped);
  EXPECT_EQ(rounds, 10);
}

TEST_F(Registered, needs_a_name_of_its_own) {
  const auto add = [](Traits traits) {
    register_algorithm(std::make_unique<ChainBroadcast>(std::move(traits)));
  };
  const std::size_t before = catalog().size();
  EXPECT_THAT([&] { add(chain_traits("chain-broadcast")); },
              ThrowsMessage<Error>(HasSubstr("has an algorithm chain-broadcast for broadcast already")));
  EXPECT_THAT(
      [&] { add(chain_traits("binomial-tree-broadcast")); },
      ThrowsMessage<Error>(HasSubstr("has an algorithm binomial-tree-broadcast for broadcast already")));
  EXPECT_THAT([&] { add(chain_traits("second-chain")); },  // whose reversal has the name of another one
              ThrowsMessage<Error>(HasSubstr("has an algorithm chain-reduce for reduce already")));
  EXPECT_THAT([&] { add(chain_traits("")); }, ThrowsMessage<Error>(HasSubstr("without a name")));
  EXPECT_EQ(catalog().size(), before);
}

}  // namespace
}  // namespace isotrope::planner

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/rank/chains.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "isotrope/network/parse.hpp"
#include "isotrope/network/rank_map.hpp"

#include "isotrope/algorithm/levels/level_copies.hpp"
#include "isotrope/algorithm/levels/levels.hpp"
#include "isotrope/algorithm/levels/torus_levels.hpp"
#include "isotrope/rank/mapped_program.hpp"

#include "tests/local/random_plans.hpp"
#include "tests/rank/emulation.hpp"

namespace isotrope::rank {
namespace {

using algorithm::LevelShape;
using schedule::Collective;
using schedule::Plan;
using testing::IsEmpty;
using testing::SizeIs;

Plan plan_by_levels(const std::string& name, Collective collective, const LevelShape& shape) {
  const network::Network network = network::parse(name);
  const auto levels = algorithm::torus_levels(*network::split_torus(network, {}), shape);
  const auto ports = schedule::PortModel::all();
  auto written = collective == Collective::allreduce   ? exchange_by_levels(network, levels, ports)
                 : collective == Collective::broadcast ? broadcast_by_levels(network, 0, levels, ports)
                                                       : allgather_by_levels(network, levels, ports);
  Plan plan{network, {}, {.collective = collective, .parts = written.parts}, std::move(written.schedule),
            {},      {}};
  plan.overlay = std::move(written.overlay);
  plan.chains = shape.copies;
  return plan;
}

std::vector<Plan> plans() {
  constexpr auto fold = LevelShape::Program::fold;
  constexpr auto stages = LevelShape::Program::stages;
  return {plan_by_levels("hypercube:3", Collective::allreduce, {0, 1, stages, 2}),
          plan_by_levels("torus:4x4", Collective::allreduce, {2, 1, fold, 4}),
          plan_by_levels("ring:9", Collective::allreduce, {1, 1, fold, 2}),
          plan_by_levels("torus:4x4", Collective::broadcast, {2, 2, fold, 4}),
          plan_by_levels("torus:4x4", Collective::allgather, {4, 1, stages, 4})};
}

TEST(Chains, may_run_one_after_the_other) {
  for (const Plan& plan : plans()) {
    EXPECT_THAT(compile(plan, 1).chains, SizeIs(plan.chains));
    for (const std::uint64_t elements : {0U, 1U, 7U, 64U})
      EXPECT_EQ(emulate(plan, elements), "") << plan.network.name();
  }
}

// Every unit of a message is in the message of one chain.
TEST(Chains, share_out_all_that_the_program_sends) {
  for (const Plan& plan : plans()) {
    const RankProgram program = compile(plan, 3);
    for (std::size_t round = 0; round < program.rounds(); ++round) {
      const auto units = [round](const RankProgram& of) {
        std::uint64_t count = 0;
        for (const RankMessage& message : of.sends(round)) {
          for (const Fragment& fragment : of.fragments(message)) count += fragment.count;
        }
        return count;
      };
      std::uint64_t of_chains = 0;
      for (const RankProgram& chain : program.chains) {
        EXPECT_EQ(chain.rounds(), program.rounds());
        of_chains += units(chain);
      }
      EXPECT_EQ(of_chains, units(program));
    }
  }
}

TEST(Chains, are_those_of_ranks_where_ranks_are_mapped) {
  const Plan plan = plans().back();
  std::vector<network::Rank> nodes(16);
  for (network::Rank rank = 0; rank < 16; ++rank) nodes[rank] = (5 * rank + 3) % 16;
  const network::RankMap ranks(nodes);
  const RankProgram moved = mapped(compile(plan, 2), Collective::allgather, ranks);
  EXPECT_EQ(moved.chains, split_into_chains(moved, plan.chains));
}

// Of a vector, of one block, of a block of every node; each share runs all rounds before the next.
TEST(Shares, may_run_one_after_the_other) {
  constexpr auto fold = LevelShape::Program::fold;
  constexpr auto stages = LevelShape::Program::stages;
  for (Plan plan : {plan_by_levels("ring:9", Collective::allreduce, {0, 1, fold, 1}),
                    plan_by_levels("torus:4x4", Collective::allreduce, {2, 1, fold, 1}),
                    plan_by_levels("torus:4x4", Collective::broadcast, {2, 2, fold, 1}),
                    plan_by_levels("torus:4x4", Collective::allgather, {4, 1, stages, 1})}) {
    plan.shares = {2, 3, 6};
    const RankProgram program = compile(plan, 1);
    EXPECT_EQ(program.shares, plan.shares);
    EXPECT_THAT(program.chains, SizeIs(program.one_vector ? 0 : 1));
    for (const std::uint64_t elements : {0U, 1U, 7U, 64U, 1000U})
      EXPECT_EQ(emulate(plan, elements), "") << plan.network.name();
  }
}

TEST(Shares, deliver_for_random_plans_moved_anywhere) {
  EXPECT_TRUE(rc::check([] {
    Plan plan = local::random_plan();
    plan.shares = *rc::gen::container<std::vector<std::uint32_t>>(*rc::gen::inRange<std::size_t>(2, 5),
                                                                  rc::gen::inRange(1U, 100U));
    const auto moved_by = *rc::gen::inRange<Node>(0, plan.network.order());
    RC_ASSERT(emulate(plan, *rc::gen::inRange<std::uint64_t>(0, 40), moved_by) == "");
  }));
}

TEST(Chains, of_a_plan_of_one_are_none) {
  Plan plan = plans().front();
  plan.chains = 1;
  EXPECT_THAT(compile(plan, 0).chains, IsEmpty());
  EXPECT_EQ(emulate(plan, 10), "");
}

}  // namespace
}  // namespace isotrope::rank

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/rank/program.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/exchanges.hpp"

#include "isotrope/algorithm/timetable/digit_sends.hpp"
#include "isotrope/verify/verify.hpp"

#include "tests/local/random_plans.hpp"
#include "tests/local/tree_plans.hpp"
#include "tests/rank/emulation.hpp"

namespace isotrope::rank {
namespace {

using local::tree_plan;
using schedule::Collective;
using schedule::Plan;
using schedule::Replication;
using testing::HasSubstr;
using testing::SizeIs;

// Node 1 of a ring of 4. Round 0: blocks 2 and 3 (relative 1 and 2) leave over port 0, block 0 over port 1; from
// node 0 its blocks for 1 and 2 come, from node 2 that for 1. Round 1: what came for node 2 goes on.
TEST(RankProgram, of_an_alltoall_on_a_ring) {
  const RankProgram program = compile(tree_plan("ring:4", Collective::alltoall, Replication::all()), 1);

  ASSERT_EQ(program.rounds(), 2U);
  ASSERT_THAT(program.sends(0), SizeIs(2));
  const RankMessage& right = program.sends(0)[0];
  EXPECT_EQ(right.peer, 2U);
  ASSERT_THAT(program.fragments(right), SizeIs(1));  // blocks 2 and 3 lie side by side
  EXPECT_EQ(program.fragments(right)[0],
            (Fragment{.unit = 2, .count = 2, .place = 2, .buffer = Buffer::input}));

  ASSERT_THAT(program.receipts(0), SizeIs(2));
  const RankMessage& from_left = program.receipts(0)[1];
  EXPECT_EQ(from_left.peer, 0U);
  ASSERT_THAT(program.fragments(from_left), SizeIs(2));
  EXPECT_EQ(program.fragments(from_left)[0], (Fragment{.unit = 0, .place = 0, .buffer = Buffer::output}));
  EXPECT_EQ(program.fragments(from_left)[1], (Fragment{.unit = 0, .place = 0, .buffer = Buffer::slots}));

  ASSERT_THAT(program.sends(1), SizeIs(1));
  EXPECT_EQ(program.fragments(program.sends(1)[0])[0], (Fragment{.buffer = Buffer::slots}));
  EXPECT_EQ(program.slots, 1U);
}

// Recursive doubling on a square: node 3 has 3, then 2 and 3, and sends both as one fragment.
TEST(RankProgram, blocks_side_by_side_are_one_piece) {
  Plan plan = local::empty_plan("hypercube:2", Collective::allgather);
  plan.schedule.round_kind = schedule::RoundKind::aggregated;
  plan.schedule.stages = {{schedule::Flow::copy, Replication::all(), {}, {}}};
  plan.schedule.stages[0].rounds = local::rounds({{{0, 0, 0}}, {{0, 1, 1}, {0, 0, 1}}});
  const RankProgram program = compile(plan, 3);

  ASSERT_THAT(program.sends(1), SizeIs(1));
  ASSERT_THAT(program.fragments(program.sends(1)[0]), SizeIs(1));
  EXPECT_EQ(program.fragments(program.sends(1)[0])[0],
            (Fragment{.unit = 2, .count = 2, .place = 2, .buffer = Buffer::output}));
  EXPECT_EQ(emulate(plan, 5), "");
}

// Of two arrivals in one round the one over the lower port comes first, and takes the node's own with it.
TEST(RankProgram, the_first_arrival_is_joined_with_the_nodes_own) {
  const RankProgram program = compile(tree_plan("ring:3", Collective::reduce, Replication::none()), 0);
  ASSERT_THAT(program.receipts(0), SizeIs(2));
  EXPECT_EQ(program.fragments(program.receipts(0)[0])[0].arrival, OnArrival::join);
  EXPECT_EQ(program.fragments(program.receipts(0)[1])[0].arrival, OnArrival::combine);
}

// Nodes 1 and 3 send to 0 at once, and what comes to 1 meanwhile goes on without 1's own.
TEST(RankProgram, what_was_sent_is_not_joined_again) {
  Plan plan = tree_plan("ring:4", Collective::reduce, Replication::none());
  schedule::Rounds rounds;
  for (const schedule::Hop hop : {schedule::Hop{0, 1, 1}, {0, 3, 0}, {0, 2, 1}}) rounds.add(hop);
  rounds.close_round();
  rounds.add({0, 1, 1});
  rounds.close_round();
  plan.schedule.stages[0].rounds = std::move(rounds);
  ASSERT_TRUE(verify::verify(plan).valid);
  EXPECT_EQ(compile(plan, 1).fragments(compile(plan, 1).receipts(0)[0])[0].arrival, OnArrival::store);
  EXPECT_EQ(emulate(plan, 8), "");
}

// An allreduce along the chain of subgroups of the largest digits.
Plan doubling_plan(const char* network) {
  using algorithm::DigitSends;
  const network::Group group = network::parse(network).group();
  const DigitSends sends(group, 1, DigitSends::DigitOrder::descending);
  network::Network overlay = sends.overlay();
  std::vector<Port> ports;
  for (std::uint32_t t = 0; t < sends.rounds(); ++t) {
    Node address = 1;
    while (sends.leg(address).round != t) ++address;
    const auto found = std::ranges::find(overlay.generators(), sends.leg(address).offset);
    ports.push_back(static_cast<Port>(found - overlay.generators().begin()));
  }
  schedule::Schedule schedule = schedule::recursive_doubling(schedule::PortModel::one(), ports);
  return {std::move(overlay), {}, {.collective = Collective::allreduce}, std::move(schedule), {}, {}};
}

// One fragment a message, and one message a round.
TEST(RankProgram, whole_vectors_double) {
  for (const char* name : {"ring:2", "hypercube:4", "torus:4x4", "torus:2x8", "twisted-torus:4x8"}) {
    const Plan plan = doubling_plan(name);
    ASSERT_TRUE(verify::verify(plan).valid) << name;
    const RankProgram program = compile(plan, 1);
    EXPECT_EQ(program.rounds(), static_cast<unsigned>(std::bit_width(plan.network.order())) - 1);
    for (std::size_t t = 0; t < program.rounds(); ++t) {
      ASSERT_THAT(program.sends(t), SizeIs(1));
      EXPECT_THAT(program.fragments(program.sends(t)[0]), SizeIs(1));
    }
    for (const std::uint64_t elements : {0U, 1U, 10U})
      EXPECT_EQ(emulate(plan, elements), "") << name << ", " << elements;
  }
}

// Two parts pass from node 0 to 1 to 2. Node 0 has the second from the beginning; node 1 sends each when it has come.
TEST(RankProgram, what_came_before_the_last_round_is_early) {
  Plan plan = local::empty_plan("ring:3", Collective::broadcast, 2);
  plan.schedule.stages = {{schedule::Flow::copy, Replication::none(), {}, {}}};
  plan.schedule.stages[0].rounds = local::rounds({{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{1, 1, 0}}});
  ASSERT_TRUE(verify::verify(plan).valid);
  const RankProgram root = compile(plan, 0), middle = compile(plan, 1);
  EXPECT_FALSE(root.is_early(0, root.sends(0)[0]));
  EXPECT_TRUE(root.is_early(1, root.sends(1)[0]));
  EXPECT_TRUE(middle.is_early(2, middle.sends(2)[0]));
  plan.schedule.stages[0].rounds = local::rounds({{{0, 0, 0}}, {{0, 1, 0}, {1, 0, 0}}, {{1, 1, 0}}});
  const RankProgram waiting = compile(plan, 1);
  EXPECT_FALSE(waiting.is_early(1, waiting.sends(1)[0]));
  EXPECT_FALSE(waiting.is_early(2, waiting.sends(2)[0]));
}

class EveryCollective : public testing::TestWithParam<Collective> {};

TEST_P(EveryCollective, delivers_what_it_should) {
  const bool rooted = is_rooted(GetParam());
  for (const char* network :
       {"ring:1", "ring:2", "ring:5", "ring:6", "torus:4x3", "hypercube:3", "hexmesh:2"}) {
    for (const Replication replication : {Replication::none(), Replication::all()}) {
      if (rooted && replication != Replication::none()) continue;
      for (const std::uint32_t parts : {1U, 3U}) {
        const Plan plan =
            tree_plan(network, GetParam(), replication, parts, rooted && network != std::string("ring:1"));
        for (const std::uint64_t elements : {0U, 1U, 10U})
          EXPECT_EQ(emulate(plan, elements), "") << network << ", " << parts << " parts, " << elements;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(RankProgram, EveryCollective,
                         testing::Values(Collective::broadcast, Collective::scatter, Collective::gather,
                                         Collective::reduce, Collective::allgather, Collective::alltoall,
                                         Collective::reduce_scatter, Collective::allreduce,
                                         Collective::barrier, Collective::task),
                         [](const auto& parameter) {
                           std::string name = to_string(schedule::Task{.collective = parameter.param});
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(RankProgram, delivers_for_random_plans_moved_anywhere) {
  EXPECT_TRUE(rc::check([] {
    const Plan plan = local::random_plan();
    const auto moved_by = *rc::gen::inRange<Node>(0, plan.network.order());
    RC_ASSERT(emulate(plan, *rc::gen::inRange<std::uint64_t>(0, 20), moved_by) == "");
  }));
}

// Whatever is damaged, either the checker refuses it or it runs: nothing the checker accepts goes wrong.
TEST(RankProgram, what_the_checker_accepts_delivers) {
  EXPECT_TRUE(rc::check([] {
    const Plan plan = local::damaged(local::random_plan());
    if (!verify::verify(plan).valid) return;
    RC_ASSERT(emulate(plan, 8) == "");
  }));
}

TEST(RankProgram, of_no_node_is_refused) {
  const Plan plan = tree_plan("ring:4", Collective::alltoall, Replication::all());
  EXPECT_THROW(
      {
        try {
          compile(plan, 4);
        } catch (const Error& error) {
          EXPECT_THAT(error.what(), HasSubstr("0..3"));
          throw;
        }
      },
      Error);
}

// Ring of 5 without node 2: node 0 reaches 1 over port 0, and 4 and 3 over port 1.
TEST(RankProgram, of_a_failed_node_is_refused_and_others_go_around_it) {
  Plan plan = tree_plan("ring:5", Collective::broadcast, Replication::none());
  plan.failed.nodes = {2};
  plan.schedule.stages[0].rounds = local::rounds({{{0, 0, 0}, {0, 0, 1}}, {{0, 4, 1}}});
  ASSERT_TRUE(verify::verify(plan).valid);

  EXPECT_THROW(compile(plan, 2), Error);
  EXPECT_THROW(require_all_nodes(plan), Error);
  EXPECT_THAT(compile(plan, 0).sends(0), SizeIs(2));
  EXPECT_THAT(compile(plan, 4).sends(1), SizeIs(1));
  EXPECT_EQ(emulate(plan, 8), "");
}

}  // namespace
}  // namespace isotrope::rank

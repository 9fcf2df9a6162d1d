// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/copy_program.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "isotrope/base/error.hpp"

#include "tests/local/random_plans.hpp"
#include "tests/local/tree_plans.hpp"

namespace isotrope::local {
namespace {

using schedule::Collective;
using schedule::Flow;
using schedule::Packet;
using schedule::Plan;
using schedule::Replication;
using testing::ElementsAre;
using testing::SizeIs;

// Ring of 4, blocks of 64 bytes. A node sends blocks 0..3 from places 0, 64, 128, 192 and receives blocks
// 1..3 at 256, 320, 384. Round 0: packets 1 and 2 leave by port 0, packet 3 by port 1; packet 2 waits in a
// transit slot, 448, and goes on in round 1.
TEST(CopyProgram, of_an_alltoall_on_a_ring) {
  const CopyProgram program = compile(tree_plan("ring:4", Collective::alltoall, Replication::all()), 64);

  const auto first = program.step(0), second = program.step(1);
  ASSERT_THAT(first, SizeIs(3));
  EXPECT_EQ(first[0].source, 64U);
  EXPECT_EQ(first[0].target, 256U);
  EXPECT_EQ(first[0].back, 1U);
  EXPECT_EQ(first[1].source, 128U);
  EXPECT_EQ(first[1].target, 448U);
  EXPECT_EQ(first[2].source, 192U);
  EXPECT_EQ(first[2].target, 384U);
  EXPECT_EQ(first[2].back, 0U);
  ASSERT_THAT(second, SizeIs(1));
  EXPECT_EQ(second[0].source, 448U);
  EXPECT_EQ(second[0].target, 320U);
  EXPECT_EQ(program.bytes_moved, 4U * 4U * 64U);
  EXPECT_THAT(program.arena_bytes, ElementsAre(576));
  EXPECT_EQ(program.memory_bytes(), 4U * 576U);
}

// Along the line 0 - 1 - 2 - 3 - 4 of a ring packets 0, 1 and 2 follow each other from node 0. Node 1 sends
// packet 0 on while packet 1 comes, so packet 1 needs another slot; packet 2, a round later, takes that of
// packet 0.
TEST(CopyProgram, a_slot_is_used_again_a_round_after_its_send) {
  Plan plan = empty_plan("ring:9", Collective::task);
  plan.schedule.stages = {{Flow::move, Replication::none(), {{0, 4, 0, 0}, {0, 4, 1, 0}, {0, 4, 2, 0}}, {}}};
  plan.schedule.stages[0].rounds = rounds({{{0, 0, 0}}, {{0, 1, 0}, {1, 0, 0}}, {{1, 1, 0}, {2, 0, 0}}});
  const CopyProgram program = compile(plan, 8);

  const auto target_at_node_one = [&](std::uint64_t t) {
    for (const Copy& copy : program.step(t)) {
      if (copy.receivers == 1) return copy.target;
    }
    return nowhere;
  };
  EXPECT_EQ(target_at_node_one(0), 0U);
  EXPECT_EQ(target_at_node_one(1), 8U);
  EXPECT_EQ(target_at_node_one(2), 0U);
}

// Ring of 3, reduce-scatter: nodes -1 and +1 both send to 0 in the one round. Contributions lie side by side.
TEST(CopyProgram, arrivals_are_added_where_the_contribution_lies) {
  const CopyProgram program =
      compile(tree_plan("ring:3", Collective::reduce_scatter, Replication::all()), 10);

  ASSERT_THAT(program.step(0), SizeIs(2));
  for (const Copy& copy : program.step(0)) {
    EXPECT_TRUE(copy.adds);
    EXPECT_EQ(copy.target, 0U);
  }
  EXPECT_THAT(program.sources, SizeIs(3));
  ASSERT_THAT(program.sinks, SizeIs(1));
  EXPECT_EQ(program.sinks[0].place, 0U);
}

// Ring of 3, two parts of a block of 3 doubles: the first part has 1 of them, the second 2.
TEST(CopyProgram, parts_are_cut_between_elements) {
  const Plan plan = tree_plan("ring:3", Collective::reduce_scatter, Replication::all(), 2);
  const CopyProgram program = compile(plan, 24, {Type::float64, Operation::sum});

  ASSERT_THAT(program.pieces, SizeIs(2));
  EXPECT_EQ(program.pieces[0].offset, 0U);
  EXPECT_EQ(program.pieces[0].bytes, 8U);
  EXPECT_EQ(program.pieces[1].offset, 8U);
  EXPECT_EQ(program.pieces[1].bytes, 16U);
  EXPECT_EQ(program.largest_piece, 16U);
}

TEST(CopyProgram, every_place_is_a_whole_number_of_elements) {
  EXPECT_TRUE(rc::check([] {
    const auto type = *rc::gen::element(Type::int16, Type::float32, Type::uint64);
    const std::uint64_t width = element_bytes(type);
    const CopyProgram program =
        compile(random_plan(), width * *rc::gen::inRange<std::uint64_t>(1, 20), {type, Operation::max});
    for (const Copy& copy : program.copies) {
      RC_ASSERT(copy.source % width == 0U);
      RC_ASSERT(copy.target % width == 0U);
      RC_ASSERT(copy.bytes % width == 0U);
    }
  }));
}

// Node 0 of a ring of 3 has +1 at port 0 and -1 at port 1; the plan lists the hop from -1 first.
TEST(CopyProgram, arrivals_are_combined_ascending_by_port) {
  Plan plan = tree_plan("ring:3", Collective::reduce, Replication::none());
  plan.schedule.stages[0].rounds = rounds({{{0, 2, 0}, {0, 1, 1}}});
  const CopyProgram program = compile(plan, 8);

  ASSERT_THAT(program.step(0), SizeIs(2));
  EXPECT_EQ(program.step(0)[0].back, 0U);
  EXPECT_EQ(program.step(0)[1].back, 1U);
}

TEST(CopyProgram, stages_of_different_replication_are_written_out) {
  Plan plan = tree_plan("ring:4", Collective::allreduce, Replication::all());
  plan.schedule.stages[1] =
      tree_plan("ring:4", Collective::allreduce, Replication::even(0)).schedule.stages[1];
  const CopyProgram program = compile(plan, 64);

  EXPECT_EQ(program.cosets.count(), 4U);
  EXPECT_THAT(program.pieces, SizeIs(8));
  EXPECT_THAT(program.sinks, SizeIs(16));
  EXPECT_EQ(program.bytes_moved, 2U * 4U * 3U * 64U);
}

struct Use {
  std::uint64_t reads = 0;
  std::uint64_t sets = 0;
  std::uint64_t adds = 0;
};

// By class and byte, how often a round's copies touch it.
std::vector<std::vector<Use>> uses(const Plan& plan, const CopyProgram& program, std::uint64_t t) {
  std::vector<std::vector<Use>> result;
  for (const std::uint64_t bytes : program.arena_bytes) result.emplace_back(bytes);
  for (const Copy& copy : program.step(t)) {
    const Node receiver = program.cosets.members(copy.receivers, {0, plan.network.order()}).front();
    auto& sender = result[program.cosets.class_of(plan.network.neighbour(receiver, copy.back))];
    for (std::uint64_t i = 0; i < copy.bytes; ++i) {
      ++sender[copy.source + i].reads;
      Use& target = result[copy.receivers][copy.target + i];
      ++(copy.adds ? target.adds : target.sets);
    }
  }
  return result;
}

TEST(CopyProgram, within_a_round_nothing_read_is_written) {
  EXPECT_TRUE(rc::check([] {
    const Plan plan = *rc::gen::arbitrary<bool>() ? random_plan() : damaged(random_plan());
    const CopyProgram program = compile(plan, *rc::gen::inRange<std::uint64_t>(1, 20));
    for (std::uint64_t t = 0; t < program.step_ends.size(); ++t) {
      for (const auto& arena : uses(plan, program, t)) {
        for (const Use& use : arena) {
          RC_ASSERT(use.sets <= 1U);
          RC_ASSERT(use.reads == 0U || use.sets + use.adds == 0U);
        }
      }
    }
  }));
}

TEST(CopyProgram, absurd_blocks_neither_wrap_nor_cost) {
  const Plan plan = tree_plan("hypercube:3", Collective::alltoall, Replication::all(), 3);

  EXPECT_EQ(compile(plan, UINT64_MAX).memory_bytes(), UINT64_MAX);
  EXPECT_EQ(compile(plan, std::uint64_t{1} << 60).memory_bytes(), UINT64_MAX);
  EXPECT_GT(compile(plan, std::uint64_t{1} << 50).memory_bytes(), std::uint64_t{8 * 15} << 50);
}

TEST(CopyProgram, refuses_what_is_not_well_defined) {
  const Plan good = tree_plan("ring:5", Collective::alltoall, Replication::none());
  EXPECT_THROW(compile(good, 0), Error);
  EXPECT_THROW(compile(good, 12, {Type::float64, Operation::sum}), Error);
  EXPECT_THROW(compile(good, 16, {Type::float64, Operation::bxor}), Error);
  const auto refuses = [&](auto spoil) {
    Plan plan = good;
    spoil(plan);
    EXPECT_THROW(compile(plan, 8), Error);
  };
  refuses([](Plan& plan) { plan.task.parts = 0; });
  refuses([](Plan& plan) { plan.task.parts = UINT32_MAX; });
  refuses([](Plan& plan) { plan.task.root = 5; });
  refuses([](Plan& plan) { plan.schedule.stages[0].packets.clear(); });
  refuses([](Plan& plan) { plan.schedule.stages[0].packets[3].origin = 5; });
  refuses([](Plan& plan) { plan.schedule.stages[0].packets[3].to = 5; });
  refuses([](Plan& plan) { plan.schedule.stages[0].packets[3].part = 1; });
  refuses([](Plan& plan) { plan.schedule.stages[0].replication = Replication::even(0); });
  refuses([](Plan& plan) {
    plan.schedule.stages[0].replication = Replication::all();
    plan.failed.nodes = {1};
  });
  refuses([](Plan& plan) {
    plan.schedule.stages[0].flow = Flow::reduce;
    plan.schedule.stages[0].packets[3].to = schedule::to_all;
  });
}

}  // namespace
}  // namespace isotrope::local

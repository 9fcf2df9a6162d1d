// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The programs of plans that reduce and then copy, and the slices of their vectors.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/complete_packets.hpp"

#include "isotrope/algorithm/allreduce/mirrored_broadcasts.hpp"
#include "isotrope/rank/program.hpp"
#include "isotrope/rank/vector_slices.hpp"
#include "isotrope/verify/verify.hpp"

#include "tests/local/random_plans.hpp"
#include "tests/local/tree_plans.hpp"
#include "tests/rank/emulation.hpp"

namespace isotrope::rank {
namespace {

using schedule::Collective;
using schedule::Flow;
using schedule::Plan;
using schedule::Replication;
using schedule::to_all;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Plan plan_of(const char* network, Replication replication, std::vector<schedule::Packet> packets,
             const local::HopTable& hops) {
  Plan plan = local::empty_plan(network, Collective::allreduce);
  plan.schedule.round_kind = schedule::RoundKind::strict;
  plan.schedule.stages = {{Flow::reduce_then_copy, replication, std::move(packets), local::rounds(hops)}};
  return plan;
}

// Node 2 sends to 1, then 1 and 3 to 0; the mirror in reverse. Port 0 is +1, port 1 is -1.
Plan ring_of_4() {
  return plan_of("ring:4", Replication::none(), {},
                 {{{0, 2, 1}}, {{0, 1, 1}, {0, 3, 0}}, {{0, 0, 0}, {0, 0, 1}}, {{0, 1, 0}}});
}

TEST(ReduceThenCopy, is_complete_when_the_origin_holds_all) {
  const Plan plan = ring_of_4();
  EXPECT_THAT(complete_from(plan, plan.schedule.stages[0]), ElementsAre(2));
  Plan lacking = plan;
  lacking.schedule.stages[0].rounds = local::rounds({{{0, 2, 1}}, {{0, 1, 1}}, {{0, 0, 0}}, {}});
  EXPECT_THAT(complete_from(lacking, lacking.schedule.stages[0]), ElementsAre(schedule::never));
}

// Node 1 adds its own to what comes from 2, gives that up, and stores and sends what comes back.
TEST(ReduceThenCopy, has_partial_results_and_copies_in_the_output) {
  const Plan plan = ring_of_4();
  ASSERT_TRUE(verify::verify(plan).valid);
  const RankProgram program = compile(plan, 1);
  ASSERT_EQ(program.rounds(), 4U);
  EXPECT_EQ(program.input_blocks, 1U);
  EXPECT_EQ(program.slots, 0U);
  ASSERT_THAT(program.receipts(0), SizeIs(1));
  EXPECT_EQ(program.fragments(program.receipts(0)[0])[0],
            (Fragment{.buffer = Buffer::output, .arrival = OnArrival::join}));
  ASSERT_THAT(program.sends(1), SizeIs(1));
  EXPECT_EQ(program.fragments(program.sends(1)[0])[0], (Fragment{.buffer = Buffer::output}));
  ASSERT_THAT(program.receipts(2), SizeIs(1));
  EXPECT_EQ(program.fragments(program.receipts(2)[0])[0], (Fragment{.buffer = Buffer::output}));
  ASSERT_THAT(program.sends(3), SizeIs(1));
  for (const std::uint64_t elements : {0U, 1U, 10U}) EXPECT_EQ(emulate(plan, elements), "");
}

// Of two arrivals in one round the one over the lower port comes first.
TEST(ReduceThenCopy, adds_in_the_order_of_ports) {
  const RankProgram program = compile(ring_of_4(), 0);
  ASSERT_THAT(program.receipts(1), SizeIs(2));
  EXPECT_EQ(program.receipts(1)[0].peer, 1U);
  EXPECT_EQ(program.fragments(program.receipts(1)[0])[0].arrival, OnArrival::join);
  EXPECT_EQ(program.fragments(program.receipts(1)[1])[0].arrival, OnArrival::combine);
}

// A result that comes twice is not added.
TEST(ReduceThenCopy, stores_a_result_that_comes_twice) {
  const Plan plan = plan_of("ring:3", Replication::none(), {},
                            {{{0, 1, 1}, {0, 2, 0}}, {{0, 0, 0}, {0, 0, 1}}, {{0, 1, 0}, {0, 2, 1}}});
  ASSERT_TRUE(verify::verify(plan).valid);
  EXPECT_EQ(emulate(plan, 8), "");
}

// Packet 0 of every origin of a ring of 3.
TEST(ReduceThenCopy, is_replicated_by_translations) {
  const Plan plan =
      plan_of("ring:3", Replication::all(), {}, {{{0, 1, 1}, {0, 2, 0}}, {{0, 0, 0}, {0, 0, 1}}});
  ASSERT_TRUE(verify::verify(plan).valid);
  EXPECT_EQ(compile(plan, 1).input_blocks, 3U);
  EXPECT_EQ(emulate(plan, 10), "");
  EXPECT_EQ(emulate(plan, 10, 2), "");
}

// Nodes 0 and 2 of a ring of 3 reduce two blocks and one.
TEST(VectorSlices, are_the_blocks_in_order) {
  const std::vector<schedule::Packet> packets{{2, to_all, 0, 0}, {0, to_all, 1, 0}, {0, to_all, 0, 0}};
  const Plan plan = plan_of("ring:3", Replication::none(), packets, {});
  const VectorSlices slices(plan);
  EXPECT_EQ(slices.count(), 3U);
  EXPECT_THAT(slices.listed(plan), ElementsAre(2, 1, 0));
  EXPECT_THROW(slices.of({1, to_all, 0, 0}), Error);
}

TEST(VectorSlices, are_one_or_one_per_node_if_not_listed) {
  const Plan one = ring_of_4();
  EXPECT_EQ(VectorSlices(one).count(), 1U);
  EXPECT_THAT(VectorSlices(one).listed(one), IsEmpty());
  const VectorSlices all(local::tree_plan("ring:4", Collective::allreduce, Replication::all()));
  EXPECT_TRUE(all.by_node());
  EXPECT_EQ(all.of({3, to_all, 0, 0}), 3U);
}

// The slices of nodes that are up cover the vector.
TEST(VectorSlices, cover_the_vector_around_a_failure) {
  Plan plan = local::empty_plan("ring:4", Collective::allreduce);
  plan.failed.nodes = {0};
  plan.schedule.stages = {{Flow::reduce_then_copy,
                           Replication::none(),
                           {{1, to_all, 0, 0}, {3, to_all, 0, 0}},
                           local::rounds({{{0, 3, 1}, {1, 1, 0}},
                                          {{0, 2, 1}, {1, 2, 0}},
                                          {{0, 1, 0}, {1, 3, 1}},
                                          {{0, 2, 0}, {1, 2, 1}}})}};
  ASSERT_TRUE(verify::verify(plan).valid);
  EXPECT_EQ(emulate(plan, 9), "");
}

// Whatever is damaged, either the checker refuses it or it runs.
TEST(ReduceThenCopy, runs_if_the_checker_accepts_it) {
  const network::NamedNetwork mesh = network::parse_named("mesh:2x3");
  Plan plan{mesh.network, mesh.lacks, {.collective = Collective::allreduce, .parts = 2}, {}, {}, {}};
  plan.schedule = algorithm::mirrored_broadcasts({mesh.network, mesh.lacks}, 2, {.runs = 1});
  const local::HopTable whole = local::table(plan.schedule.stages[0].rounds);
  int accepted = 0;
  for (std::size_t t = 0; t < whole.size(); ++t) {
    for (std::size_t i = 0; i < whole[t].size(); ++i) {
      for (std::size_t to = 0; to < whole.size(); ++to) {  // the hop in another round
        local::HopTable hops = whole;
        const schedule::Hop hop = hops[t][i];
        hops[t].erase(hops[t].begin() + static_cast<std::ptrdiff_t>(i));
        hops[to].push_back(hop);
        plan.schedule.stages[0].rounds = local::rounds(hops);
        if (!verify::verify(plan).valid) continue;
        ++accepted;
        EXPECT_EQ(emulate(plan, 24), "") << t << ", " << i << ", " << to;
      }
    }
  }
  EXPECT_GT(accepted, 0);
}

}  // namespace
}  // namespace isotrope::rank

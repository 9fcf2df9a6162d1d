// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/run.hpp"

#include <algorithm>
#include <array>
#include <ostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "isotrope/base/error.hpp"

#include "tests/local/random_plans.hpp"
#include "tests/local/reference.hpp"
#include "tests/local/tree_plans.hpp"

namespace isotrope::local {
namespace {

using schedule::Collective;
using schedule::Flow;
using schedule::Plan;
using schedule::Replication;
using testing::AllOf;
using testing::HasSubstr;

std::string error_of(const Plan& plan, const ExecutionOptions& options) {
  try {
    run(plan, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// Ring of 4: every node ends with 4 blocks of 10 bytes, its own among them; of the 3 others two make one hop
// and one makes two.
TEST(Run, alltoall_on_a_ring) {
  const Plan plan = tree_plan("ring:4", Collective::alltoall, Replication::all());
  const RunResult result = run(plan, {.block_bytes = 10, .threads = 2});

  EXPECT_TRUE(result.correct);
  EXPECT_EQ(result.first_error, "");
  EXPECT_EQ(result.rounds, 2U);
  EXPECT_EQ(result.bytes_moved, 4U * 4U * 10U);
  EXPECT_EQ(result.bytes_checked, 4U * 4U * 10U);
  EXPECT_EQ(result.memory_bytes, 4U * 128U);
  EXPECT_EQ(result.memory_bytes, memory_needed(plan, 10));
  EXPECT_EQ(result.threads, 2U);
  EXPECT_GT(result.seconds, 0);
  EXPECT_GT(result.memcpy_seconds, 0);
}

// The example of a subgroup of index 2: on a ring of 4 the packets to the antipode go + from even nodes and -
// from odd ones, so that every round uses every link once.
TEST(Run, alltoall_that_differs_by_parity) {
  Plan plan = empty_plan("ring:4", Collective::alltoall);
  plan.schedule.stages = {{Flow::move, Replication::even(0), {}, {}}};
  auto& stage = plan.schedule.stages[0];
  for (const network::Node origin : {0U, 1U}) {
    for (network::Node relative = 0; relative < 4; ++relative) {
      stage.packets.push_back({origin, (origin + relative) % 4, relative, 0});
    }
  }
  stage.rounds =
      rounds({{{2, 0, 0}, {3, 0, 1}, {5, 1, 0}, {6, 1, 1}}, {{2, 1, 0}, {6, 0, 1}, {1, 0, 0}, {7, 1, 1}}});

  const RunResult result = run(plan, {.block_bytes = 1000, .threads = 3});

  EXPECT_TRUE(result.correct) << result.first_error;
  EXPECT_EQ(result.bytes_moved, 4U * 4U * 1000U);
  EXPECT_EQ(result.bytes_checked, 16U * 1000U);
}

struct Case {
  Collective collective;
  Replication replication;
  std::uint64_t blocks_moved;  // on torus:4x3
  std::uint64_t blocks_checked;
};

// "reduce_scatter_all"
std::ostream& operator<<(std::ostream& out, const Case& c) {
  std::string name = to_string(schedule::Task{.collective = c.collective});
  name = name.substr(0, name.find(':'));
  std::ranges::replace(name, '-', '_');
  return out << name
             << std::array{"_none", "_even_axis", "_all"}[static_cast<std::size_t>(c.replication.kind)];
}

class EveryForm : public testing::TestWithParam<Case> {
 protected:
  static Plan plan(std::uint32_t parts) {
    const auto& [collective, replication, moved, checked] = GetParam();
    return tree_plan("torus:4x3", collective, replication, parts, is_rooted(collective) ? 7 : 0);
  }

  static void expect_correct(const Plan& plan, std::uint64_t block_bytes, unsigned threads) {
    const RunResult result = run(plan, {.block_bytes = block_bytes, .threads = threads});
    EXPECT_TRUE(result.correct) << result.first_error;
    EXPECT_EQ(result.bytes_moved, GetParam().blocks_moved * block_bytes);
    EXPECT_EQ(result.bytes_checked, GetParam().blocks_checked * block_bytes);
    EXPECT_EQ(result.threads, std::min(threads, 12U));
  }
};

// In a ring of 4 the distances from a node sum to 1 + 2 + 1 = 4, in a ring of 3 to 2; in the torus 4 x 3 to
// 3 * 4 + 4 * 2 = 20, so an alltoall of 12 nodes moves 240 blocks and a scatter 20.
INSTANTIATE_TEST_SUITE_P(Run, EveryForm,
                         testing::Values(Case{Collective::broadcast, Replication::none(), 11, 12},
                                         Case{Collective::scatter, Replication::none(), 20, 12},
                                         Case{Collective::gather, Replication::none(), 20, 12},
                                         Case{Collective::reduce, Replication::none(), 11, 1},
                                         Case{Collective::allgather, Replication::none(), 132, 144},
                                         Case{Collective::allgather, Replication::even(0), 132, 144},
                                         Case{Collective::allgather, Replication::all(), 132, 144},
                                         Case{Collective::alltoall, Replication::none(), 240, 144},
                                         Case{Collective::alltoall, Replication::even(0), 240, 144},
                                         Case{Collective::alltoall, Replication::all(), 240, 144},
                                         Case{Collective::reduce_scatter, Replication::none(), 132, 12},
                                         Case{Collective::reduce_scatter, Replication::even(0), 132, 12},
                                         Case{Collective::reduce_scatter, Replication::all(), 132, 12},
                                         Case{Collective::allreduce, Replication::none(), 22, 12},
                                         Case{Collective::allreduce, Replication::even(0), 264, 144},
                                         Case{Collective::allreduce, Replication::all(), 264, 144},
                                         Case{Collective::barrier, Replication::none(), 22, 12},
                                         Case{Collective::barrier, Replication::all(), 264, 144},
                                         Case{Collective::neighborhood, Replication::all(), 240, 144},
                                         Case{Collective::isotropic, Replication::all(), 240, 144},
                                         Case{Collective::task, Replication::none(), 240, 144}),
                         testing::PrintToStringParamName());

// Parts that divide the block, parts that do not, and more parts than bytes.
TEST_P(EveryForm, is_correct_to_the_byte) {
  for (const std::uint32_t parts : {1U, 2U, 5U}) {
    for (const std::uint64_t block_bytes : {1U, 4U, 101U, 20000U}) {
      expect_correct(plan(parts), block_bytes, 3);
    }
  }
}

// Threads that share the nodes evenly, that do not, and more threads than nodes.
TEST_P(EveryForm, is_the_same_on_any_number_of_threads) {
  for (const unsigned threads : {1U, 2U, 7U, 20U}) expect_correct(plan(3), 1000, threads);
}

// Threads and seed change nothing in the verdict. A part has 16 bytes or more, in which two different sums
// agree with negligible probability.
TEST(Run, agrees_with_the_reference_on_damaged_plans) {
  EXPECT_TRUE(rc::check([] {
    const Plan plan = *rc::gen::arbitrary<bool>() ? random_plan() : damaged(random_plan());
    const std::uint64_t block_bytes = 64;
    const Outcome expected = follow(plan);

    const RunResult result = run(plan, {.block_bytes = block_bytes,
                                        .threads = *rc::gen::inRange(1U, 9U),
                                        .seed = *rc::gen::arbitrary<std::uint64_t>()});

    RC_CLASSIFY(expected.correct);
    RC_ASSERT(result.correct == expected.correct);
    RC_ASSERT(result.first_error.empty() == expected.correct);
    if (plan.task.parts != 3)
      RC_ASSERT(result.bytes_moved == expected.transmissions * block_bytes / plan.task.parts);
  }));
}

TEST(Run, stages_of_different_replication_follow_each_other) {
  Plan plan = tree_plan("torus:4x3", Collective::allreduce, Replication::all(), 2);
  plan.schedule.stages[1] =
      tree_plan("torus:4x3", Collective::allreduce, Replication::even(0), 2).schedule.stages[1];
  EXPECT_TRUE(run(plan, {.block_bytes = 33, .threads = 2}).correct);
}

TEST(Run, a_single_node_has_everything_already) {
  for (const Collective collective : {Collective::alltoall, Collective::allgather, Collective::allreduce}) {
    const RunResult result = run(tree_plan("torus:1", collective, Replication::all()), {.block_bytes = 5});
    EXPECT_TRUE(result.correct);
    EXPECT_EQ(result.bytes_moved, 0U);
    EXPECT_EQ(result.bytes_checked, 5U);
  }
}

// Ring of 5 without node 2: node 0 reaches 1 over port 0, and 4 and 3 over port 1.
Plan broadcast_around_a_failed_node() {
  Plan plan = tree_plan("ring:5", Collective::broadcast, Replication::none());
  plan.failed.nodes = {2};
  plan.schedule.stages[0].rounds = rounds({{{0, 0, 0}, {0, 0, 1}}, {{0, 4, 1}}});
  return plan;
}

TEST(Run, survivors_serve_each_other) {
  const RunResult result = run(broadcast_around_a_failed_node(), {.block_bytes = 100, .threads = 2});

  EXPECT_TRUE(result.correct) << result.first_error;
  EXPECT_EQ(result.bytes_moved, 300U);
  EXPECT_EQ(result.bytes_checked, 400U);
}

TEST(Run, only_survivors_contribute) {
  Plan plan = broadcast_around_a_failed_node();
  plan.task.collective = Collective::reduce;
  plan.schedule.stages[0].flow = Flow::reduce;
  plan.schedule.stages[0].rounds = rounds({{{0, 3, 0}}, {{0, 4, 0}, {0, 1, 1}}});

  const RunResult result = run(plan, {.block_bytes = 100, .threads = 2});

  EXPECT_TRUE(result.correct) << result.first_error;
  EXPECT_EQ(result.bytes_checked, 100U);
}

TEST(Run, nothing_crosses_what_failed) {
  Plan plan = broadcast_around_a_failed_node();
  plan.schedule.stages[0].rounds = rounds({{{0, 0, 0}, {0, 0, 1}}, {{0, 4, 1}, {0, 1, 0}}});
  EXPECT_EQ(run(plan, {.block_bytes = 100}).bytes_moved, 300U);

  plan.failed.links = {{3, 0}};  // between 3 and 4
  const RunResult result = run(plan, {.block_bytes = 100});
  EXPECT_FALSE(result.correct);
  EXPECT_EQ(result.first_error, "node 3: packet 0 of node 0 never arrives");
  EXPECT_EQ(result.bytes_moved, 200U);
}

TEST(Run, hops_out_of_range_move_nothing) {
  Plan plan = tree_plan("ring:5", Collective::alltoall, Replication::all());
  HopTable hops = table(plan.schedule.stages[0].rounds);
  hops[0].insert(hops[0].begin(), {{1, 0, 2}, {1, 5, 0}, {5, 0, 0}, {UINT32_MAX, UINT32_MAX, UINT32_MAX}});
  plan.schedule.stages[0].rounds = rounds(hops);

  const RunResult result = run(plan, {.block_bytes = 8});

  EXPECT_TRUE(result.correct);
  EXPECT_EQ(result.bytes_moved, 5U * 6U * 8U);
}

TEST(Run, tells_its_progress_from_the_calling_thread) {
  std::vector<double> shares;
  const auto caller = std::this_thread::get_id();
  run(tree_plan("ring:9", Collective::alltoall, Replication::all()),
      {.block_bytes = 8, .threads = 3, .progress = [&](double share) {
         EXPECT_EQ(std::this_thread::get_id(), caller);
         shares.push_back(share);
       }});

  EXPECT_GT(shares.size(), 3U);
  EXPECT_TRUE(std::ranges::is_sorted(shares));
  EXPECT_GT(shares.front(), 0);
  EXPECT_EQ(shares.back(), 1);
}

TEST(Run, an_exception_of_the_listener_comes_out) {
  const ExecutionOptions options{
      .block_bytes = 8, .threads = 3, .progress = [](double) { throw std::domain_error("stop"); }};
  EXPECT_THROW(run(tree_plan("ring:9", Collective::alltoall, Replication::all()), options),
               std::domain_error);
}

// 64 nodes, each with 64 blocks of 2^20 bytes to send and 63 to receive: 7.94 GiB without transit slots.
TEST(Run, refuses_to_exceed_the_memory_limit) {
  const Plan plan = tree_plan("hypercube:6", Collective::alltoall, Replication::all());
  const std::string error = error_of(plan, {.block_bytes = 1 << 20, .memory_limit = std::uint64_t{1} << 30});

  const double needed = static_cast<double>(memory_needed(plan, 1 << 20)) / (1 << 30);
  EXPECT_GT(needed, 7.93);
  EXPECT_THAT(error, AllOf(HasSubstr(fmt::format("{:.2f} GiB", needed)), HasSubstr("1.00 GiB"),
                           HasSubstr("smaller blocks")));
}

TEST(Run, the_limit_itself_is_allowed) {
  const Plan plan = tree_plan("ring:4", Collective::alltoall, Replication::all());
  const std::uint64_t needed = memory_needed(plan, 100);
  EXPECT_TRUE(run(plan, {.block_bytes = 100, .memory_limit = needed}).correct);
  EXPECT_THAT(error_of(plan, {.block_bytes = 100, .memory_limit = needed - 1}), HasSubstr("limit"));
}

TEST(Run, refuses_absurd_sizes_and_counts) {
  const Plan plan = tree_plan("ring:4", Collective::alltoall, Replication::all());
  EXPECT_THAT(error_of(plan, {.block_bytes = 0}), HasSubstr("1 byte or more"));
  EXPECT_THAT(error_of(plan, {.block_bytes = std::uint64_t{1} << 62}), HasSubstr("smaller blocks"));
  EXPECT_THAT(error_of(plan, {.block_bytes = std::uint64_t{1} << 62, .memory_limit = 1 << 30}),
              HasSubstr("GiB"));
  EXPECT_THAT(error_of(plan, {.block_bytes = 8, .threads = 5000}), HasSubstr("1 to 4096"));
}

}  // namespace
}  // namespace isotrope::local

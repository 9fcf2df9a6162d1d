// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans executed on the ranks with checked contents: every collective, the counts of messages, and a plan of
// another size.
#include "isotrope/mpi/checked_run.hpp"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/planner/plan.hpp"

#include "trial.hpp"
#include "world.hpp"

namespace isotrope::mpi {
namespace {

class MpiCheckedRuns : public OnNetwork {
 protected:
  CheckedRun run(const schedule::Task& task, std::uint64_t block_bytes) const {
    const schedule::Plan plan = planner::make_plan({.network = comm().network(), .task = task});
    return run_plan_checked(MPI_COMM_WORLD, plan,
                            {.block_bytes = block_bytes, .repetitions = 2, .ranks = comm().ranks()});
  }
  network::Node last_node() const { return comm().network().order() - 1; }
};

TEST_P(MpiCheckedRuns, find_every_byte_correct) {
  for (const Collective collective :
       {Collective::broadcast, Collective::scatter, Collective::gather, Collective::reduce,
        Collective::allgather, Collective::alltoall, Collective::reduce_scatter, Collective::allreduce,
        Collective::scan, Collective::exscan, Collective::barrier}) {
    const network::Node root = schedule::is_rooted(collective) ? last_node() : 0;
    for (const std::uint32_t parts : {1U, 3U}) {
      if (collective == Collective::barrier && parts > 1) continue;
      const schedule::Task task{.collective = collective, .root = root, .parts = parts};
      const CheckedRun result = run(task, 50);
      EXPECT_TRUE(result.correct) << to_string(task) << ": " << result.first_error;
      EXPECT_GE(result.seconds, 0);
    }
  }
}

TEST_P(MpiCheckedRuns, find_listed_blocks_correct) {
  if (comm().size() == 1) GTEST_SKIP() << "a single node has no neighbours";
  const CheckedRun result = run({.collective = Collective::neighborhood, .nearest = 1, .farthest = 1}, 50);
  EXPECT_TRUE(result.correct) << result.first_error;
}

// A broadcast over N ranks sends N - 1 blocks.
TEST_P(MpiCheckedRuns, count_messages_and_bytes) {
  const CheckedRun result = run({.collective = Collective::broadcast}, 24);
  EXPECT_EQ(result.messages, last_node());
  EXPECT_EQ(result.bytes_sent, std::uint64_t{24} * last_node());
}

TEST_P(MpiCheckedRuns, of_plans_for_another_number_of_ranks_throw) {
  const auto other = network::parse("ring:" + std::to_string(comm().size() + 2));
  const schedule::Plan plan =
      planner::make_plan({.network = other, .task = {.collective = Collective::alltoall}});
  EXPECT_THROW(run_plan_checked(MPI_COMM_WORLD, plan, {.block_bytes = 8}), Error);
}

NETWORKS_OF_THE_JOB(MpiCheckedRuns);

}  // namespace
}  // namespace isotrope::mpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/mscclpp.hpp"

#include <map>
#include <sstream>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/verify/verify.hpp"

#include "tests/exports/damage.hpp"
#include "tests/exports/holdings.hpp"
#include "tests/exports/mscclpp_file.hpp"
#include "tests/exports/plans.hpp"
#include "tests/sanitizers.hpp"

namespace isotrope::exports {
namespace {

using schedule::Collective;
using schedule::Plan;
using testing::HasSubstr;

std::string mscclpp(const Plan& plan) {
  std::ostringstream out;
  write_mscclpp(out, plan);
  return out.str();
}

std::string run_every_way(const MscclppFile& file, const Plan& plan, unsigned seeds) {
  for (const bool in_place : {false, true}) {
    if (in_place && !file.in_place) continue;
    for (unsigned seed = 0; seed < seeds; ++seed) {
      std::string error = run(file, plan, in_place, seed);
      if (!error.empty()) return fmt::format("{}: {}", in_place ? "in place" : "out of place", error);
    }
  }
  return "";
}

using LinkChunks = std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t>;

// Chunks over every link, all rounds together.
LinkChunks chunks_of_links(const MscclppFile& file) {
  LinkChunks chunks;
  for (std::size_t gpu = 0; gpu < file.gpus.size(); ++gpu) {
    for (const auto& block : file.gpus[gpu].blocks) {
      for (const MscclppOperation& operation : block) {
        if (operation.name != "put") continue;
        for (const MscclppChunks& to : operation.to)
          chunks[{gpu, to.gpu}] += static_cast<std::uint64_t>(to.size);
      }
    }
  }
  return chunks;
}

// The same from the plan's hops: blocks, of allreduce the vector, have as many bytes as chunks.
LinkChunks chunks_of_links(const Plan& plan, const MscclppFile& file) {
  const bool is_vector = plan.task.collective == Collective::allreduce;
  const auto bytes = is_vector ? static_cast<std::uint64_t>(file.gpus.front().input) : plan.task.parts;
  LinkChunks chunks;
  for (const auto& [message, size] : bytes_of_messages(plan, bytes))
    chunks[{message.from, message.to}] += size;
  return chunks;
}

std::vector<std::string> names_of(const std::vector<MscclppOperation>& block) {
  std::vector<std::string> names;
  for (const MscclppOperation& operation : block) names.push_back(operation.name);
  return names;
}

// Nodes 1 and 2 send their inputs to node 0, which adds both to its own: one sum of three operands.
TEST(MscclppExport, of_a_reduce_on_a_ring) {
  const MscclppFile file = read_mscclpp(mscclpp(chosen_plan("ring:3", Collective::reduce)));
  ASSERT_EQ(file.gpus.size(), 3U);
  // plans.cpp takes the last node as root.
  const MscclppGpu &root = file.gpus[2], &other = file.gpus[0];
  EXPECT_EQ(root.scratch, 2);
  ASSERT_EQ(root.blocks.size(), 2U);
  EXPECT_EQ(names_of(root.blocks[0]),
            (std::vector<std::string>{"signal", "wait", "barrier", "re", "barrier"}));
  EXPECT_EQ(names_of(root.blocks[1]), (std::vector<std::string>{"signal", "wait", "barrier", "barrier"}));
  EXPECT_EQ(root.blocks[0][3].from.size(), 3U);
  EXPECT_EQ(root.blocks[0][3].to.front().buffer, 'o');
  ASSERT_EQ(other.blocks.size(), 1U);
  EXPECT_EQ(names_of(other.blocks[0]),
            (std::vector<std::string>{"wait", "nop", "put", "nop", "signal", "nop"}));
  EXPECT_EQ(other.blocks[0][2].to.front().buffer, 's');
}

class MscclppOf : public testing::TestWithParam<const char*> {};

TEST_P(MscclppOf, every_plan_of_the_catalogue_runs) {
  unsigned exported = 0, trial = 0;
  for (const auto& [name, plan] : plans_of_catalogue(GetParam())) {
    if (plan.task.collective == Collective::barrier || is_left_out(trial++, 4)) continue;
    ASSERT_TRUE(verify::verify(plan).valid) << name;
    if (plan.schedule.stages.front().flow == schedule::Flow::exchange) {
      EXPECT_THROW(mscclpp(plan), Error) << name;
      continue;
    }
    const MscclppFile file = read_mscclpp(mscclpp(plan));
    EXPECT_EQ(chunks_of_links(file), chunks_of_links(plan, file)) << name;
    EXPECT_EQ(run_every_way(file, plan, 2), "") << name;
    ++exported;
  }
  EXPECT_GE(exported, unless_sanitized(50, 10));
}

INSTANTIATE_TEST_SUITE_P(Exports, MscclppOf,
                         testing::Values("hypercube:3", "torus:4x3", "ring:5", "torus:3x2@2,1"));

TEST(MscclppExport, of_plans_around_failed_links_runs) {
  for (const auto& [name, plan] : plans_around_failed_links("hypercube:3")) {
    if (plan.task.collective == Collective::barrier) continue;
    EXPECT_EQ(run_every_way(read_mscclpp(mscclpp(plan)), plan, 10), "") << name;
  }
}

// A lane of 32 rounds is more operations than a block takes: a semaphore starts the next.
TEST(MscclppExport, takes_more_blocks_for_more_operations) {
  const Plan plan = chosen_plan("hypercube:5", Collective::alltoall);
  const MscclppFile file = read_mscclpp(mscclpp(plan));
  EXPECT_GT(file.gpus[0].blocks.size(), 5U);
  EXPECT_FALSE(file.gpus[0].semaphores.empty());
  EXPECT_EQ(run_every_way(file, plan, 2), "");
}

// 15 lanes of nine blocks are too many.
TEST(MscclppExport, takes_fewer_lanes_for_more_links) {
  if (is_sanitized) GTEST_SKIP() << "its plan is large";
  const Plan plan = chosen_plan("complete:16", Collective::alltoall, 60);
  const MscclppFile file = read_mscclpp(mscclpp(plan));
  EXPECT_EQ(file.gpus[0].peers.size(), 15U);
  EXPECT_GT(file.gpus[0].blocks.size(), 50U);
  EXPECT_EQ(run_every_way(file, plan, 1), "");
}

// Links side by side: the ends of the second channel are each other's.
TEST(MscclppExport, of_links_side_by_side_runs) {
  for (const Collective collective : {Collective::alltoall, Collective::allgather, Collective::allreduce}) {
    const Plan plan = chosen_plan("torus:3x3@2,1", collective, 2);
    EXPECT_EQ(run_every_way(read_mscclpp(mscclpp(plan)), plan, 5), "");
  }
}

TEST(MscclppExport, damage_is_found) {
  const Plan plan = chosen_plan("torus:3x3", Collective::allreduce);
  const std::string text = mscclpp(plan);
  const auto passes = [&](const std::string& damaged) {
    try {
      return run_every_way(read_mscclpp(damaged), plan, 3).empty();
    } catch (const std::exception&) {
      return false;
    }
  };
  ASSERT_TRUE(passes(text));
  const std::pair<const char*, const char*> changes[] = {
      {R"("name": "re")", R"("name": "copy")"},
      {R"("name": "put")", R"("name": "nop")"},
      {R"("name": "signal")", R"("name": "wait")"},
      {R"("name": "wait")", R"("name": "nop")"},
      {R"("name": "barrier")", R"("name": "nop")"},
      {R"("num_threadblocks": 4)", R"("num_threadblocks": 3)"},
      {R"("buffer_id": 0)", R"("buffer_id": 9)"},
      {R"("size": 1)", R"("size": 2)"},
      {R"("rank": 1)", R"("rank": 4)"},
      {R"("input_chunks": )", R"("input_chunks": 1)"},
      {R"("scratch_chunks": )", R"("scratch": )"},
      {R"("connected_to": [1, )", R"("connected_to": [2, )"}};
  for (const auto& [what, by] : changes) {
    int n = 0;
    for (std::string damaged = text; n < 5 && replace(damaged, what, by, n); damaged = text, ++n) {
      EXPECT_FALSE(passes(damaged)) << what << " -> " << by << ", number " << n;
    }
    EXPECT_GT(n, 0) << what;
  }
}

void expect_mscclpp_refusal(const Plan& plan, const std::string& message) {
  std::ostringstream out;
  try {
    write_mscclpp(out, plan);
    ADD_FAILURE() << message;
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(message));
  }
  EXPECT_EQ(out.str(), "");
}

TEST(MscclppExport, refuses_what_cannot_be_loaded) {
  expect_mscclpp_refusal(chosen_plan("ring:4", Collective::barrier), "barrier");
  expect_mscclpp_refusal(chosen_plan("ring:1", Collective::allgather), "2 nodes");
  expect_mscclpp_refusal(chosen_plan("ring:200", Collective::allgather, 20), "108 are the most");
}

}  // namespace
}  // namespace isotrope::exports

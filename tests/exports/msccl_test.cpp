// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/msccl.hpp"

#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/verify/verify.hpp"

#include "tests/exports/damage.hpp"
#include "tests/exports/holdings.hpp"
#include "tests/exports/msccl_file.hpp"
#include "tests/exports/plans.hpp"
#include "tests/sanitizers.hpp"

namespace isotrope::exports {
namespace {

using schedule::Collective;
using schedule::Plan;
using testing::HasSubstr;

std::string msccl(const Plan& plan) {
  std::ostringstream out;
  write_msccl(out, plan);
  return out.str();
}

std::string run_every_way(const MscclFile& file, const Plan& plan, unsigned seeds) {
  for (const std::size_t buffered : {0U, 1U, 1000U}) {
    for (const bool in_place : {false, true}) {
      if (in_place && !file.in_place) continue;
      for (unsigned seed = 0; seed < seeds; ++seed) {
        std::string error = run(file, plan, {.buffered = buffered, .in_place = in_place, .seed = seed});
        if (!error.empty())
          return fmt::format("{} buffered, {}: {}", buffered, in_place ? "in place" : "out of place", error);
      }
    }
  }
  return "";
}

// Chunks over every link, all rounds together.
std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> chunks_of_links(const MscclFile& file) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> chunks;
  for (std::size_t gpu = 0; gpu < file.gpus.size(); ++gpu) {
    for (const MscclBlock& block : file.gpus[gpu].blocks) {
      for (const MscclStep& step : block.steps) {
        if (step.type == "s") chunks[{gpu, block.send}] += static_cast<std::uint64_t>(step.count);
      }
    }
  }
  return chunks;
}

// The same from the plan's hops: blocks, of allreduce the vector, have as many bytes as chunks.
std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> chunks_of_links(const Plan& plan,
                                                                               const MscclFile& file) {
  const bool is_vector = plan.task.collective == Collective::allreduce;
  const auto bytes = is_vector ? static_cast<std::uint64_t>(file.chunks_per_loop) : plan.task.parts;
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> chunks;
  for (const auto& [message, size] : bytes_of_messages(plan, bytes))
    chunks[{message.from, message.to}] += size;
  return chunks;
}

// Node 0 has the sums of 1 and 2 come in, the first joined with its own; the block that receives from 2
// waits.
TEST(MscclExport, of_a_reduce_on_a_ring) {
  Plan plan = chosen_plan("ring:3", Collective::reduce);
  const MscclFile file = read_msccl(msccl(plan));
  EXPECT_EQ(file.collective, "reduce");
  EXPECT_EQ(file.chunks_per_loop, 1);
  ASSERT_EQ(file.gpus.size(), 3U);
  ASSERT_EQ(file.gpus[2].blocks.size(), 2U);
  const MscclStep &first = file.gpus[2].blocks[0].steps.at(0), &second = file.gpus[2].blocks[1].steps.at(0);
  EXPECT_EQ(first.type, "rrc");
  EXPECT_EQ(first.from_buffer, 'i');
  EXPECT_TRUE(first.is_awaited);
  EXPECT_EQ(second.from_buffer, 'o');
  EXPECT_EQ(second.awaited_block, 0);
  EXPECT_EQ(second.awaited_step, 0);
  ASSERT_EQ(file.gpus[0].blocks.size(), 1U);
  EXPECT_EQ(file.gpus[0].blocks[0].steps.at(0).type, "s");
}

class MscclOf : public testing::TestWithParam<const char*> {};

TEST_P(MscclOf, every_plan_of_the_catalogue_runs) {
  unsigned exported = 0, trial = 0;
  for (const auto& [name, plan] : plans_of_catalogue(GetParam())) {
    if (plan.task.collective == Collective::barrier || is_left_out(trial++, 4)) continue;
    ASSERT_TRUE(verify::verify(plan).valid) << name;
    if (plan.schedule.stages.front().flow == schedule::Flow::exchange) {
      EXPECT_THROW(msccl(plan), Error) << name;
      continue;
    }
    const MscclFile file = read_msccl(msccl(plan));
    EXPECT_EQ(chunks_of_links(file), chunks_of_links(plan, file)) << name;
    EXPECT_EQ(run_every_way(file, plan, 1), "") << name;
    ++exported;
  }
  EXPECT_GE(exported, unless_sanitized(50, 10));
}

INSTANTIATE_TEST_SUITE_P(Exports, MscclOf,
                         testing::Values("hypercube:3", "torus:4x3", "ring:5", "torus:3x2@2,1"));

TEST(MscclExport, of_plans_around_failed_links_runs) {
  for (const auto& [name, plan] : plans_around_failed_links("hypercube:3")) {
    if (plan.task.collective == Collective::barrier) continue;
    EXPECT_EQ(run_every_way(read_msccl(msccl(plan)), plan, 10), "") << name;
  }
}

// 32 nodes, 5 ports: 400 chunks of one packet a round are more steps than one block takes.
TEST(MscclExport, takes_more_channels_for_more_steps) {
  const Plan plan = chosen_plan("ring:4", Collective::alltoall, 200);
  const MscclFile file = read_msccl(msccl(plan));
  EXPECT_GT(file.channels, 1);
  EXPECT_EQ(run_every_way(file, plan, 2), "");
}

// Of 20 ports 15 share one channel, 5 the next.
TEST(MscclExport, takes_more_channels_for_more_ports) {
  const Plan plan = chosen_plan("complete:21", Collective::alltoall);
  const MscclFile file = read_msccl(msccl(plan));
  EXPECT_EQ(file.channels, 2);
  EXPECT_EQ(run_every_way(file, plan, 2), "");
}

TEST(MscclExport, cuts_long_stretches) {
  const Plan plan = chosen_plan("ring:3", Collective::allgather, 100);
  const MscclFile file = read_msccl(msccl(plan));
  EXPECT_EQ(file.gpus[0].blocks[0].steps.at(0).type, "cpy");
  EXPECT_EQ(file.gpus[0].blocks[0].steps.at(0).count, 71);
  EXPECT_EQ(file.gpus[0].blocks[0].steps.at(1).count, 29);
  EXPECT_EQ(run_every_way(file, plan, 2), "");
}

TEST(MscclExport, damage_is_found) {
  const Plan plan = chosen_plan("torus:3x3", Collective::allreduce);
  const std::string text = msccl(plan);
  const auto passes = [&](const std::string& damaged) {
    try {
      return run_every_way(read_msccl(damaged), plan, 2).empty();
    } catch (const std::exception&) {
      return false;
    }
  };
  ASSERT_TRUE(passes(text));
  const std::pair<const char*, const char*> changes[] = {
      {"type=\"rrc\"", "type=\"r\""},
      {"type=\"s\"", "type=\"nop\""},
      {"hasdep=\"1\"", "hasdep=\"0\""},
      {"hasdep=\"0\"", "hasdep=\"1\""},
      {"cnt=\"1\"", "cnt=\"2\""},
      {"type=\"s\" srcbuf=\"o\" srcoff=\"1\"", "type=\"s\" srcbuf=\"o\" srcoff=\"2\""},
      {"chan=\"0\"", "chan=\"1\""},
      {"outofplace=\"1\" ", ""},
      {"i_chunks=\"9\"", "i_chunks=\"8\""},
      {"depid=\"0\"", "depid=\"1\""}};
  for (const auto& [what, by] : changes) {
    int n = 0;
    for (std::string damaged = text; n < 5 && replace(damaged, what, by, n); damaged = text, ++n) {
      EXPECT_FALSE(passes(damaged)) << what << " -> " << by << ", number " << n;
    }
    EXPECT_GT(n, 0) << what;
  }
}

TEST(MscclExport, without_the_waits_of_a_gpu_goes_wrong) {
  for (const Collective collective : {Collective::allreduce, Collective::alltoall, Collective::broadcast}) {
    const Plan plan = chosen_plan("hypercube:3", collective, 3);
    const MscclFile file = read_msccl(msccl(plan));
    MscclFile damaged = file;
    for (MscclBlock& block : damaged.gpus[1].blocks) {
      for (MscclStep& step : block.steps) step.awaited_block = -1;
    }
    EXPECT_NE(run_every_way(damaged, plan, 20), "") << file.collective;
  }
}

void expect_msccl_refusal(const Plan& plan, const std::string& message) {
  std::ostringstream out;
  try {
    write_msccl(out, plan);
    ADD_FAILURE() << message;
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(message));
  }
  EXPECT_EQ(out.str(), "");
}

TEST(MscclExport, refuses_what_cannot_be_loaded) {
  expect_msccl_refusal(chosen_plan("ring:4", Collective::barrier), "barrier");
  expect_msccl_refusal(chosen_plan("ring:1", Collective::allgather), "2 nodes");
  expect_msccl_refusal(chosen_plan("ring:4", Collective::alltoall, 20000), "steps over one link");
  expect_msccl_refusal(chosen_plan("complete:60", Collective::alltoall), "108 are the most");
}

}  // namespace
}  // namespace isotrope::exports

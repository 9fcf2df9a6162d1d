// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The traces in all their formats: hand-computed texts, then all plans of the catalogue, then damaged files.
#include "tests/exports/trace.hpp"

#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/verify/verify.hpp"

#include "isotrope/exports/chakra.hpp"
#include "isotrope/exports/goal.hpp"
#include "isotrope/exports/simgrid_trace.hpp"
#include "tests/exports/holdings.hpp"
#include "tests/exports/plans.hpp"
#include "tests/sanitizers.hpp"

namespace isotrope::exports {
namespace {

using schedule::Collective;
using schedule::Plan;
using testing::HasSubstr;

std::string goal(const Plan& plan, std::uint64_t bytes) {
  std::ostringstream out;
  write_goal(out, plan, bytes);
  return out.str();
}

template <class Write>
std::vector<std::string> of_ranks(const Plan& plan, std::uint64_t bytes, const Write& write) {
  std::vector<std::string> texts;
  for (network::Node rank = 0; rank < plan.network.order(); ++rank) {
    std::ostringstream out;
    write(out, plan, rank, bytes);
    texts.push_back(out.str());
  }
  return texts;
}

struct TraceFormat {
  const char* name;
  Trace (*trace)(const Plan&, std::uint64_t);
};

const TraceFormat trace_formats[] = {
    {"goal", [](const Plan& plan, std::uint64_t bytes) { return read_goal(goal(plan, bytes)); }},
    {"simgrid",
     [](const Plan& plan, std::uint64_t bytes) {
       return read_simgrid_traces(of_ranks(plan, bytes, write_simgrid_trace));
     }},
    {"chakra", [](const Plan& plan, std::uint64_t bytes) {
       return read_chakra(of_ranks(plan, bytes, write_chakra_trace));
     }}};

// Node 0 of a ring of 4 sends its block both ways, and node 1 passes it on.
TEST(GoalExport, of_a_broadcast_on_a_ring) {
  EXPECT_EQ(goal(chosen_plan("ring:3", Collective::broadcast), 64),
            "num_ranks 3\n"
            "rank 0 {\n"
            "r0p1: recv 64b from 2 tag 0 cpu 0 nic 1\n"
            "e0: calc 0 cpu 0\n"
            "e0 requires r0p1\n"
            "}\n"
            "rank 1 {\n"
            "r0p0: recv 64b from 2 tag 0 cpu 0 nic 0\n"
            "e0: calc 0 cpu 0\n"
            "e0 requires r0p0\n"
            "}\n"
            "rank 2 {\n"
            "s0p0: send 64b to 0 tag 0 cpu 0 nic 0\n"
            "s0p1: send 64b to 1 tag 0 cpu 0 nic 1\n"
            "e0: calc 0 cpu 0\n"
            "e0 requires s0p0\n"
            "e0 requires s0p1\n"
            "}\n");
}

TEST(SimgridTrace, of_a_reduce_on_a_ring) {
  std::ostringstream out;
  write_simgrid_trace(out, chosen_plan("ring:3", Collective::reduce), 2, 64);
  EXPECT_EQ(out.str(), "2 init\n2 irecv 0 0 64\n2 irecv 1 0 64\n2 waitall 2\n2 compute 128\n2 finalize\n");
}

// 7 bytes of metadata, then one node: id, name, type, and attributes.
TEST(ChakraTrace, of_one_send) {
  std::ostringstream out;
  write_chakra_trace(out, chosen_plan("ring:2", Collective::broadcast), 1, 300);
  const std::string bytes = out.str();
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x07\x0A\x05"
                                            "0.0.4",
                                            8));
  EXPECT_EQ(bytes.substr(9, 16), std::string("\x08\x00\x12\x0C"
                                             "to 0 round 0",
                                             16));
  EXPECT_THAT(bytes, HasSubstr(std::string("\x18\x05", 2)));  // COMM_SEND_NODE
  EXPECT_THAT(bytes, HasSubstr(std::string("\x0A\x09"
                                           "comm_size\x48\xAC\x02",
                                           14)));  // 300 = 0xAC 0x02
}

class TracesOf : public testing::TestWithParam<const char*> {};

// Blocks of 7 bytes give packets without bytes, 720 bytes none on up to 12 nodes and 3 parts.
TEST_P(TracesOf, every_plan_of_the_catalogue_hold) {
  const std::vector<NamedPlan> plans = plans_of_catalogue(GetParam());
  EXPECT_GE(plans.size(), 50U);
  unsigned trial = 0;
  for (const auto& [name, plan] : plans) {
    if (is_left_out(trial++, 4)) continue;
    ASSERT_TRUE(verify::verify(plan).valid) << name;
    for (const TraceFormat& format : trace_formats) {
      const Trace trace = format.trace(plan, 720);
      EXPECT_EQ(compare(trace, plan, 720), "") << name << ", " << format.name;
      EXPECT_EQ(compare(format.trace(plan, 7), plan, 7), "") << name << ", " << format.name;
      EXPECT_EQ(check_lock_step(trace, most_copies(plan.network)), "") << name << ", " << format.name;
      EXPECT_EQ(has_packets(plan) ? run(trace, plan, 1) : "", "") << name << ", " << format.name;
    }
  }
}

// Node 3 adds what comes in round 0 to its own before it sends both, and at the end what comes in round 1.
TEST(GoalExport, of_a_scan_counts_its_additions) {
  const std::string text = goal(chosen_plan("hypercube:2", Collective::scan), 64);
  const std::string last = text.substr(text.find("rank 3 {"));
  EXPECT_THAT(last, HasSubstr("e0: calc 64 cpu 0"));
  EXPECT_THAT(last, HasSubstr("e1: calc 64 cpu 0"));
  const std::string first = text.substr(0, text.find("rank 1 {"));
  EXPECT_THAT(first, HasSubstr("e0: calc 64 cpu 0"));
  EXPECT_THAT(first, HasSubstr("e1: calc 0 cpu 0"));
}

INSTANTIATE_TEST_SUITE_P(Exports, TracesOf,
                         testing::Values("hypercube:3", "torus:4x3", "ring:5", "torus:3x2@2,1"));

TEST(Traces, of_plans_around_failed_links_hold) {
  for (const char* network : {"hypercube:3", "torus:4x3"}) {
    for (const auto& [name, plan] : plans_around_failed_links(network)) {
      ASSERT_TRUE(verify::verify(plan).valid) << name;
      for (const TraceFormat& format : trace_formats) {
        const Trace trace = format.trace(plan, 720);
        EXPECT_EQ(compare(trace, plan, 720), "") << name << ", " << format.name;
        for (unsigned seed = 0; seed < 5; ++seed) EXPECT_EQ(run(trace, plan, seed), "") << name;
      }
    }
  }
}

// Whatever is changed in the text, the reader or what a trace is held to finds it.
TEST(GoalExport, damage_is_found) {
  const Plan plan = chosen_plan("hypercube:2", Collective::allreduce);
  const std::string text = goal(plan, 720);
  const auto passes = [&](const std::string& damaged) {
    try {
      const Trace trace = read_goal(damaged);
      return compare(trace, plan, 720).empty() && check_lock_step(trace).empty() &&
             run(trace, plan, 1).empty();
    } catch (const std::runtime_error&) {
      return false;
    }
    return true;
  };
  const std::string last = fmt::format("e{} requires", plan.schedule.round_count() - 1);
  ASSERT_TRUE(passes(text));
  int tried = 0;
  for (std::size_t line = 0, end = 0; line < text.size(); line = end + 1, ++tried) {
    end = text.find('\n', line);
    if (text.compare(line, last.size(), last) == 0) continue;  // nothing comes after the last round
    std::string damaged = text;
    damaged.erase(line, end + 1 - line);
    EXPECT_FALSE(passes(damaged)) << "without " << text.substr(line, end - line);
  }
  EXPECT_GT(tried, 50);
}

TEST(Traces, without_their_orders_fail) {
  for (const Collective collective : {Collective::broadcast, Collective::alltoall, Collective::allreduce}) {
    const Plan plan = chosen_plan("hypercube:3", collective, 3);
    for (const TraceFormat& format : trace_formats) {
      Trace trace = format.trace(plan, 720);
      for (auto& rank : trace) {
        for (Operation& operation : rank) operation.awaits.clear();
      }
      EXPECT_NE(run(trace, plan, 1), "") << format.name;
    }
  }
}

TEST(Traces, of_a_plan_without_a_node_are_refused) {
  Plan plan = chosen_plan("ring:4", Collective::broadcast);
  plan.failed.nodes = {1};
  std::ostringstream out;
  EXPECT_THROW(write_goal(out, plan, 64), Error);
  EXPECT_THROW(write_simgrid_trace(out, plan, 0, 64), Error);
  EXPECT_THROW(write_chakra_trace(out, plan, 0, 64), Error);
}

// 2^17 nodes, or half of them, replicate every hop.
TEST(Traces, of_a_plan_too_large_are_refused) {
  Plan plan = chosen_plan("ring:4", Collective::alltoall);
  plan.network = network::parse("hypercube:17");
  for (int i = 0; i < 3000; ++i) plan.schedule.stages[0].rounds.add({0, 0, 0});
  plan.schedule.stages[0].rounds.close_round();
  std::ostringstream out;
  EXPECT_THROW(write_goal(out, plan, 64), Error);
}

}  // namespace
}  // namespace isotrope::exports

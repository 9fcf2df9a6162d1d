// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans that run on shares of the data: when they are chosen, and their times against those of all messages followed one by one.
#include "isotrope/cost/shares.hpp"

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/cost/routed_completion.hpp"

#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/catalog.hpp"
#include "isotrope/planner/choice.hpp"

#include "tests/planner/wanted.hpp"

namespace isotrope::planner {
namespace {

using schedule::Plan;
using testing::IsEmpty;
using testing::Not;

Problem shares_problem(const char* network, const char* collective) {
  const network::NamedNetwork named = network::parse_named(network);
  return {.network = named.network,
          .failed = named.lacks,
          .task = schedule::parse_task(collective, named.network),
          .ports = schedule::PortModel::all()};
}

Choice chosen(const char* network, const char* collective, std::uint64_t bytes,
              const cost::Machine& machine) {
  return choose_for(shares_problem(network, collective), bytes, machine, {.associative = true});
}

// The names of those whose messages go to neighbours and may run in shares; on a whole network any algorithm may.
std::vector<std::string> names_of_candidates(Problem problem) {
  if (problem.failed.empty()) return {""};
  problem.aggregation = unbounded;
  std::vector<std::string> result;
  for (const Algorithm* algorithm : catalog()) {
    if (algorithm->traits().collective == problem.task.collective &&
        !unsupported_reason(*algorithm, problem, {.associative = true}) && algorithm->is_quick(problem) &&
        !algorithm->sends_far(problem, algorithm->choices(problem).front()))
      result.push_back(algorithm->name());
  }
  return result;
}

// Every message of every node.
double followed(const Choice& choice) {
  const Candidate& best = choice.best();
  const Plan plan = make_plan(best);
  const auto& network = plan.network;
  const cost::RoutedMessages messages(network, {}, network, plan.schedule, plan.task, 1);
  std::uint64_t steps = std::uint64_t{1} << 26;
  const auto part_bytes =
      cost::part_bytes_of_shares(best.block_bytes, best.prediction.segments, best.parameters.shares);
  return messages.completion(part_bytes, choice.machine, steps).value_or(0);
}

// Calls use(choice, seconds with every message followed, what it is) for all choices that run in shares; returns how many do.
template <class Use>
std::size_t for_each_in_shares(const char* network, const Use& use) {
  std::size_t in_shares = 0;
  for (const double overhead_s : {0.0, 1e-6}) {
    const cost::Machine machine = simgrid_machine(overhead_s);
    for (const char* collective : {"allreduce", "allgather", "reduce-scatter", "alltoall", "scatter",
                                   "gather", "broadcast", "reduce", "scan"}) {
      const Problem problem = shares_problem(network, collective);
      for (const std::string& name : names_of_candidates(problem)) {
        for (const std::uint64_t bytes : {64U, 1024U, 4096U, 16384U, 65536U, 1U << 20}) {
          const Choice choice = choose_for(problem, bytes, machine, {.algorithm = name, .associative = true});
          if (choice.best().parameters.shares.empty()) continue;
          ++in_shares;
          use(choice, followed(choice),
              fmt::format("{} of {} bytes, overhead {}, {}", collective, bytes, overhead_s,
                          choice.best().name()));
        }
      }
    }
  }
  return in_shares;
}

class Shares : public testing::TestWithParam<const char*> {};

// One node and its busiest link stand for all, and the bound holds. Hubs load other ports most in other rounds.
TEST_P(Shares, take_as_long_as_their_messages) {
  const auto check = [](const Choice& choice, double followed, const std::string& what) {
    const double seconds = choice.best().prediction.seconds;
    EXPECT_NEAR(seconds, followed, 5e-3 * followed) << what;
    EXPECT_GE(seconds, choice.bound.seconds * (1 - 1e-9)) << what;
  };
  EXPECT_GT(for_each_in_shares(GetParam(), check), 15u);
}

INSTANTIATE_TEST_SUITE_P(Networks, Shares,
                         testing::Values("torus:4x4", "ring:9", "hexmesh:3", "hypercube:3", "torus:3x5",
                                         "circulant:13:1,5", "twisted-torus:2x4x4"));

class OpenShares : public testing::TestWithParam<const char*> {};

// Some nodes send less than the busiest.
TEST_P(OpenShares, take_no_longer_than_predicted) {
  const auto check = [](const Choice& choice, double followed, const std::string& what) {
    const double seconds = choice.best().prediction.seconds;
    EXPECT_GE(seconds, followed * (1 - 1e-9)) << what;
    EXPECT_LE(seconds, followed * 1.35) << what;
    EXPECT_GE(followed, choice.bound.seconds * (1 - 1e-9)) << what;
  };
  EXPECT_GT(for_each_in_shares(GetParam(), check), 5u);
}

INSTANTIATE_TEST_SUITE_P(Networks, OpenShares,
                         testing::Values("mesh:4x4", "line:7", "mesh:3x5", "mesh:2x3x4"));

// Swing takes 12.72 us for 1 KiB on torus:8x8 and 55.65 us for 64 KiB, and a plan in common rounds 10.05 us and 46.8 us.
TEST(Shares, save_time_for_middle_vectors) {
  const cost::Machine machine = simgrid_machine(0);
  for (const auto& [bytes, most] : {std::pair(1024U, 9.1e-6), {16384U, 17.7e-6}, {65536U, 40.2e-6}}) {
    const Choice choice = chosen("torus:8x8", "allreduce", bytes, machine);
    EXPECT_LE(choice.best().prediction.seconds, most) << bytes;
    EXPECT_THAT(choice.best().parameters.shares, Not(IsEmpty()));
    const Plan plan = make_plan(choice.best());
    EXPECT_EQ(plan.shares, choice.best().parameters.shares);
    EXPECT_EQ(fault_of(verify::verify(plan)), "");
  }
}

// Without hubs 6.7 and 8.8 us on hexmesh:5, and 12.3 us on twisted-torus:4x4x8.
TEST(Hubs, are_for_middle_vectors_without_axes) {
  const cost::Machine machine = simgrid_machine(0);
  for (const auto& [network, bytes, most] : {std::tuple("hexmesh:5", 1024U, 5.95e-6),
                                             {"hexmesh:5", 4096U, 7.9e-6},
                                             {"circulant:29:1,5,12", 4096U, 5.7e-6},
                                             {"twisted-torus:4x4x8", 4096U, 10.1e-6}}) {
    const Choice choice = chosen(network, "allreduce", bytes, machine);
    EXPECT_EQ(choice.best().algorithm->name(), "hub-allreduce") << network << ", " << bytes;
    EXPECT_LE(choice.best().prediction.seconds, most) << network << ", " << bytes;
    EXPECT_EQ(fault_of(verify::verify(make_plan(choice.best()))), "") << network << ", " << bytes;
  }
}

// Where start-ups occupy the link, processors copy, links are unlike or several ranks share them.
TEST(Shares, need_links_that_are_free_during_start_ups) {
  const auto runs = [](const cost::Machine& machine) {
    return !chosen("torus:4x4", "allreduce", 16384, machine).best().parameters.shares.empty();
  };
  cost::Machine machine = simgrid_machine(0);
  EXPECT_TRUE(runs(machine));
  machine.overhead_byte_s = machine.byte_time_s;
  EXPECT_FALSE(runs(machine));
  machine = simgrid_machine(0);
  machine.cut_through = false;
  machine.hop_time_s = 0;
  EXPECT_FALSE(runs(machine));
  machine = simgrid_machine(0);
  machine.listed_classes[machine.link_class_count++] = {.axes = 1, .byte_time_s = 2e-9};
  EXPECT_FALSE(runs(machine));
}

// A start-up of nothing leaves nothing to hide, and the fewer bytes the less.
TEST(Shares, are_more_the_more_there_is_to_hide) {
  cost::Machine machine = simgrid_machine(0);
  EXPECT_GE(chosen("torus:4x4", "allreduce", 16384, machine).best().parameters.shares.size(), 3u);
  EXPECT_THAT(chosen("torus:4x4", "allreduce", 8, machine).best().parameters.shares, IsEmpty());
  EXPECT_THAT(chosen("torus:4x4", "allreduce", 1 << 28, machine).best().parameters.shares, IsEmpty());
}

}  // namespace
}  // namespace isotrope::planner

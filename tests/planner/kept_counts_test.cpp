// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/kept_counts.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/cost/round_synchronous.hpp"

#include "isotrope/planner/choice.hpp"

#include "tests/planner/wanted.hpp"

namespace isotrope::planner {
namespace {

Problem counted_problem(const char* network_name, const char* collective, std::uint32_t parts = 1) {
  const Network network = network::parse(network_name);
  Problem problem{.network = network, .task = schedule::parse_task(collective, network)};
  problem.task.parts = parts;
  return problem;
}

// Counted without the function under test.
std::map<cost::RoundLoad, std::uint64_t> counted(const Algorithm& algorithm, const Problem& problem) {
  std::map<cost::RoundLoad, std::uint64_t> result;
  for (const auto& load : cost::round_loads(problem.network, algorithm.schedule(problem, {}))) ++result[load];
  return result;
}

TEST(KeptCounts, are_those_of_the_schedule_the_first_time_and_the_second) {
  const Algorithm& algorithm = algorithm_named("layered-scatter");
  for (int time = 0; time < 2; ++time) {
    for (const char* network : {"torus:4x4", "ring:7", "torus:3x5"}) {
      for (const std::uint32_t parts : {1U, 3U}) {
        const Problem problem = counted_problem(network, "scatter", parts);
        EXPECT_EQ(schedule_counts(algorithm, problem, {}).rounds, counted(algorithm, problem)) << network;
        EXPECT_EQ(schedule_counts(algorithm, problem, {}).hops, algorithm.schedule(problem, {}).hop_count());
        EXPECT_EQ(round_count(algorithm, problem, {}), algorithm.rounds(problem, {})) << network;
      }
    }
  }
}

// Its rounds grow with every question.
class Growing final : public Algorithm {
 public:
  Growing() : Algorithm({"growing", Collective::scatter, "any", "all", "none", "none"}) {}
  std::optional<std::string> unsupported_reason(const Problem& /*problem*/) const override { return {}; }
  std::uint64_t rounds(const Problem& /*problem*/, const Parameters& /*parameters*/) const override {
    return ++questions_;
  }
  schedule::Schedule schedule(const Problem& /*problem*/, const Parameters& /*parameters*/) const override {
    return {};
  }

 private:
  mutable std::uint64_t questions_ = 0;
};

TEST(KeptCounts, of_algorithms_outside_the_catalogue_are_taken_anew) {
  const Growing growing;
  const Problem problem = counted_problem("ring:5", "scatter");
  EXPECT_EQ(round_count(growing, problem, {}), 1u);
  EXPECT_EQ(round_count(growing, problem, {}), 2u);
}

TEST(KeptCounts, leave_choices_independent_of_earlier_ones) {
  const cost::Machine machine{
      .startup_s = 1e-6, .byte_time_s = 1e-9, .cut_through = true, .hop_time_s = 1e-6};
  const std::vector<std::uint64_t> sizes = {8, 1000, 30000, 1000000};
  for (const char* collective : {"broadcast", "scatter", "allgather", "allreduce", "alltoall"}) {
    const Problem problem = counted_problem("torus:3x4", collective);
    std::vector<std::pair<std::string, double>> upwards, downwards;
    const auto chosen = [&](std::uint64_t bytes) {
      const Choice choice = choose_for(problem, bytes, machine);
      return std::pair(choice.best().name(), choice.best().prediction.seconds);
    };
    for (std::size_t i = 0; i < sizes.size(); ++i) upwards.push_back(chosen(sizes[i]));
    for (std::size_t i = sizes.size(); i-- > 0;) downwards.insert(downwards.begin(), chosen(sizes[i]));
    EXPECT_EQ(upwards, downwards) << collective;
  }
}

}  // namespace
}  // namespace isotrope::planner

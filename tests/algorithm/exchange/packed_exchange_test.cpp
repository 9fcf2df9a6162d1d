// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/packed_exchange.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/bound/steps.hpp"

#include "isotrope/verify/verify.hpp"

#include "tests/sanitizers.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using schedule::StepLimits;
using schedule::Task;

struct Packed {
  std::uint64_t steps, sum_of_loads;
  bound::StepBound bound;
};

// The steps of an alltoall that the checker finds valid.
Packed packed(const std::string& network_name, StepLimits step, std::uint64_t places) {
  const Network network = network::parse(network_name);
  const Task task = schedule::parse_task("alltoall", network, 0, 1);
  const auto bound = bound::step_bound({.network = network, .task = task, .step_limits = step});
  const SearchLimits limits{.target = bound->sum_of_loads, .links = places};
  const auto report =
      verify::verify({network,
                      {},
                      task,
                      packed_exchange(network, task, relative_destinations(network, task), step, limits),
                      {},
                      {}});
  EXPECT_TRUE(report.valid) << network_name
                            << (report.violations.empty() ? "" : ": " + report.violations[0].message);
  EXPECT_LE(std::ranges::max(report.step_sends), step.sends);
  EXPECT_LE(std::ranges::max(report.step_load), step.load);
  return {report.step_load.size(),
          std::accumulate(report.step_load.begin(), report.step_load.end(), std::uint64_t{0}), *bound};
}

TEST(PackedExchange, meets_the_bounds_on_twisted_tori) {
  if (is_sanitized) GTEST_SKIP() << "its searches take long under sanitizers";
  for (const auto& [network, step, steps, sum] :
       std::vector<std::tuple<const char*, StepLimits, std::uint64_t, std::uint64_t>>{
           {"twisted-torus:4x4x8", {6, 3}, 25, 74},
           {"twisted-torus:4x4x8", {6, 4}, 22, 74},
           {"twisted-torus:4x4x8", {2, 4}, 64, UINT64_MAX},
           {"twisted-torus:4x8x8", {6, 3}, 62, 186}}) {
    const Packed found = packed(network, step, std::uint64_t{1} << 26);
    EXPECT_EQ(found.steps, steps) << network;
    EXPECT_EQ(found.bound.steps, network == std::string("twisted-torus:4x8x8") ? 62 : steps) << network;
    EXPECT_LE(found.sum_of_loads, sum) << network;
  }
}

TEST(PackedExchange, serves_every_network) {
  for (const char* network : {"torus:4x4", "torus:3x5", "hypercube:5", "hexmesh:3", "ring:7", "ring:8",
                              "circulant:13:1,2", "complete:6", "torus:2x3x4"}) {
    const Network parsed = network::parse(network);
    const Task task = schedule::parse_task("alltoall", parsed, 0, 1);
    const std::uint32_t least = largest_least_load(parsed, relative_destinations(parsed, task)).load;
    for (const std::uint32_t sends : {1u, 4u, 30u}) {
      for (const std::uint32_t load : {least, least + 2}) {
        const Packed found = packed(network, {sends, load}, std::uint64_t{1} << 18);
        EXPECT_GE(found.steps, found.bound.steps) << network;
        EXPECT_GE(found.sum_of_loads, found.bound.sum_of_loads) << network;
      }
    }
  }
}

// Half-way round the long axis lie 4 hops, which even and odd nodes send both ways.
TEST(PackedExchange, splits_packets_that_load_a_link_too_much) {
  const auto least = [](const char* name) {
    const Network network = network::parse(name);
    const Task task = schedule::parse_task("alltoall", network, 0, 1);
    return largest_least_load(network, relative_destinations(network, task)).load;
  };
  EXPECT_EQ(least("ring:8"), 3u);   // 3 hops one way; 4 hops are split
  EXPECT_EQ(least("ring:9"), 4u);   // an odd ring has no alternating classes
  EXPECT_EQ(least("ring:10"), 5u);  // 5 + 5 hops both ways are an odd number each
  EXPECT_EQ(least("hypercube:4"), 1u);
  EXPECT_LE(least("twisted-torus:4x4x8"), 3u);
}

}  // namespace
}  // namespace isotrope::algorithm

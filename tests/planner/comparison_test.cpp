// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/comparison.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

namespace isotrope::planner {
namespace {

Request request(const char* network_name, const char* collective, schedule::PortModel ports) {
  const Network network = network::parse(network_name);
  return {network, schedule::parse_task(collective, network), ports};
}

const cost::Machine machine{.startup_s = 1e-3, .byte_time_s = 1e-6};

std::vector<std::uint64_t> powers_of_two(std::uint32_t first, std::uint32_t last) {
  std::vector<std::uint64_t> sizes;
  for (std::uint32_t i = first; i <= last; ++i) sizes.push_back(std::uint64_t{1} << i);
  return sizes;
}

// Small messages go along the binomial tree, large ones along the capped MSBT; what lies on either side of a
// crossover is in favour of the one that is named.
TEST(Comparison, finds_where_the_fastest_broadcast_changes) {
  const Comparison comparison =
      compare(request("hypercube:5", "broadcast", schedule::PortModel::one()), powers_of_two(4, 22), machine);
  ASSERT_FALSE(comparison.crossovers.empty());
  EXPECT_EQ(comparison.contestants[comparison.fastest.front()].name, "binomial-tree-broadcast");
  EXPECT_EQ(comparison.contestants[comparison.fastest.back()].name, "capped-msbt-broadcast");

  const std::uint64_t bytes = comparison.crossovers.front().bytes;
  const Comparison around =
      compare(request("hypercube:5", "broadcast", schedule::PortModel::one()), {bytes - 1, bytes}, machine);
  EXPECT_EQ(around.contestants[around.fastest[0]].name, comparison.crossovers.front().slower);
  EXPECT_EQ(around.contestants[around.fastest[1]].name, comparison.crossovers.front().faster);
}

TEST(Comparison, names_the_fastest_of_all) {
  for (const char* collective : {"broadcast", "reduce", "scatter", "gather", "allgather", "alltoall"}) {
    const Comparison comparison = compare(request("hypercube:4", collective, schedule::PortModel::all()),
                                          powers_of_two(0, 20), machine);
    ASSERT_EQ(comparison.fastest.size(), 21u);
    for (std::size_t s = 0; s < comparison.fastest.size(); ++s) {
      const double best = comparison.contestants[comparison.fastest[s]].predictions[s].seconds;
      for (const Contestant& contestant : comparison.contestants)
        EXPECT_LE(best, contestant.predictions[s].seconds);
      EXPECT_TRUE(std::isfinite(best) && best > 0);
    }
  }
}

// With costly start-ups merged messages win, with free ones the balanced packets do.
TEST(Comparison, sets_merged_against_single_packets) {
  const auto wanted = request("hypercube:6", "scatter", schedule::PortModel::all());
  const Comparison costly = compare(wanted, {64}, {.startup_s = 1, .byte_time_s = 1e-6});
  EXPECT_TRUE(costly.contestants[costly.fastest[0]].name.ends_with(", merged"));
  EXPECT_EQ(costly.contestants[costly.fastest[0]].predictions[0].rounds, 6u);
  const Comparison free = compare(wanted, {64}, {.startup_s = 0, .byte_time_s = 1e-6});
  EXPECT_EQ(free.contestants[free.fastest[0]].name, "balanced-scatter");
}

// Small blocks go directly, with one start-up; large ones must not have every message prepared for itself.
TEST(Comparison, sets_direct_sends_against_neighbours) {
  cost::Machine machine_through{.startup_s = 1e-3, .byte_time_s = 1e-6, .overhead_s = 1e-5};
  machine_through.cut_through = true;
  const auto wanted = request("torus:4x4", "alltoall", schedule::PortModel::all());
  const Comparison comparison = compare(wanted, {64}, machine_through);
  EXPECT_EQ(comparison.contestants[comparison.fastest[0]].name, "direct-sends, merged");
  EXPECT_EQ(comparison.contestants.back().name, "direct-sends-by-3, merged");
  EXPECT_EQ(comparison.contestants.back().predictions[0].rounds, 2u);
  machine_through.cut_through = false;
  EXPECT_EQ(compare(wanted, {64}, machine_through).contestants.size() + 5, comparison.contestants.size());
}

TEST(Comparison, refuses_what_no_algorithm_serves) {
  EXPECT_THROW(compare(request("torus:4x4", "alltoall", schedule::PortModel::half()), {64}, machine), Error);
  EXPECT_THROW(compare(request("hypercube:3", "broadcast", schedule::PortModel::one()), {64},
                       {.startup_s = -1, .byte_time_s = 0}),
               Error);
}

}  // namespace
}  // namespace isotrope::planner

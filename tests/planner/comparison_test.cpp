// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

namespace isotrope::planner {
namespace {

Problem problem(const char* network_name, const char* collective, schedule::PortModel ports) {
  const Network network = network::parse(network_name);
  return {.network = network, .task = schedule::parse_task(collective, network), .ports = ports};
}

const Curve& curve(const Comparison& comparison, std::string_view name) {
  return *std::ranges::find(comparison.curves, name, &Curve::name);
}

const cost::Machine machine{.startup_s = 1e-3, .byte_time_s = 1e-6};

std::vector<std::uint64_t> powers_of_two(std::uint32_t first, std::uint32_t last) {
  std::vector<std::uint64_t> sizes;
  for (std::uint32_t i = first; i <= last; ++i) sizes.push_back(std::uint64_t{1} << i);
  return sizes;
}

// Small messages go along the binomial tree, large ones along the capped MSBT. On either side of a crossover the
// algorithm that is named there is the fastest.
TEST(Comparison, finds_where_the_fastest_broadcast_changes) {
  const Comparison comparison =
      compare(problem("hypercube:5", "broadcast", schedule::PortModel::one()), powers_of_two(4, 22), machine);
  ASSERT_FALSE(comparison.crossovers.empty());
  EXPECT_EQ(comparison.curves[comparison.fastest.front()].name, "binomial-tree-broadcast");
  EXPECT_EQ(comparison.curves[comparison.fastest.back()].name, "capped-msbt-broadcast");

  const std::uint64_t bytes = comparison.crossovers.front().bytes;
  const Comparison around =
      compare(problem("hypercube:5", "broadcast", schedule::PortModel::one()), {bytes - 1, bytes}, machine);
  EXPECT_EQ(around.curves[around.fastest[0]].name, comparison.crossovers.front().slower);
  EXPECT_EQ(around.curves[around.fastest[1]].name, comparison.crossovers.front().faster);
}

TEST(Comparison, names_the_fastest_of_all) {
  for (const char* collective : {"broadcast", "reduce", "scatter", "gather", "allgather", "alltoall"}) {
    const Comparison comparison = compare(problem("hypercube:4", collective, schedule::PortModel::all()),
                                          powers_of_two(0, 20), machine);
    ASSERT_EQ(comparison.fastest.size(), 21u);
    for (std::size_t s = 0; s < comparison.fastest.size(); ++s) {
      const double best = comparison.curves[comparison.fastest[s]].predictions[s].seconds;
      for (const Curve& curve : comparison.curves) EXPECT_LE(best, curve.predictions[s].seconds);
      EXPECT_TRUE(std::isfinite(best) && best > 0);
    }
  }
}

// If start-ups are costly, aggregated messages win; if they are free, single packets in balanced order do.
TEST(Comparison, sets_aggregated_against_single_packets) {
  const auto wanted = problem("hypercube:6", "scatter", schedule::PortModel::all());
  const Comparison costly = compare(wanted, {64}, {.startup_s = 1, .byte_time_s = 1e-6});
  EXPECT_TRUE(costly.curves[costly.fastest[0]].name.ends_with(", aggregated"));
  EXPECT_EQ(costly.curves[costly.fastest[0]].predictions[0].rounds, 6u);
  const Comparison free = compare(wanted, {64}, {.startup_s = 0, .byte_time_s = 1e-6});
  EXPECT_EQ(free.curves[free.fastest[0]].name, "balanced-scatter");
}

// Small blocks go to all nodes at once, with one start-up; of large ones a node must not prepare every message.
TEST(Comparison, sets_overlays_against_neighbours) {
  cost::Machine machine_through{.startup_s = 1e-3, .byte_time_s = 1e-6, .overhead_s = 1e-5};
  machine_through.cut_through = true;
  const auto wanted = problem("torus:4x4", "alltoall", schedule::PortModel::all());
  const Comparison comparison = compare(wanted, {64}, machine_through);
  EXPECT_EQ(comparison.curves[comparison.fastest[0]].name, "linear-exchange, aggregated");
  EXPECT_EQ(comparison.curves.back().name, "pairwise-exchange");
  EXPECT_EQ(curve(comparison, "pairwise-exchange").predictions[0].rounds, 15u);
  ASSERT_EQ(comparison.curves[comparison.curves.size() - 2].name, "radix-exchange, radix 8, aggregated");
  EXPECT_EQ(curve(comparison, "radix-exchange, radix 8, aggregated").predictions[0].rounds, 2u);
  machine_through.cut_through = false;
  EXPECT_EQ(compare(wanted, {64}, machine_through).curves.size() + 5, comparison.curves.size());
}

// On a ring the layers are those of its only axis.
TEST(Comparison, puts_algorithms_with_the_same_times_together) {
  const Comparison comparison =
      compare(problem("ring:8", "allreduce", schedule::PortModel::all()), powers_of_two(6, 16), machine);
  const auto groups = comparison.groups();
  std::size_t curves = 0, together = 0;
  for (const std::vector<std::size_t>& group : groups) {
    curves += group.size();
    for (const std::size_t i : group) {
      for (std::size_t s = 0; s < comparison.bytes.size(); ++s)
        EXPECT_EQ(comparison.curves[i].predictions[s].seconds,
                  comparison.curves[group.front()].predictions[s].seconds);
      const std::string& name = comparison.curves[i].name;
      together += group.size() > 1 && (name.starts_with("layer-by-layer-allreduce") ||
                                       name.starts_with("axis-by-axis-allreduce"));
    }
  }
  EXPECT_EQ(curves, comparison.curves.size());
  EXPECT_EQ(together, 2u);
}

// Between neighbours nothing beats the bound, and break-even points are further than 0.1 % apart.
TEST(Comparison, has_a_bound_and_crossovers_that_differ) {
  for (const char* network : {"hypercube:5", "torus:4x4", "torus:3x5", "hexmesh:3"}) {
    for (const char* collective : {"broadcast", "allgather", "alltoall", "allreduce"}) {
      const Comparison comparison =
          compare(problem(network, collective, schedule::PortModel::all()), powers_of_two(4, 24), machine);
      ASSERT_EQ(comparison.bound_s.size(), comparison.bytes.size());
      for (const Curve& curve : comparison.curves) {
        for (std::size_t s = 0; s < comparison.bytes.size(); ++s)
          EXPECT_LE(comparison.bound_s[s], curve.predictions[s].seconds * (1 + 1e-9))
              << network << collective;
      }
      for (std::size_t i = 1; i < comparison.crossovers.size(); ++i) {
        const auto& [bytes, seconds, slower, faster] = comparison.crossovers[i];
        EXPECT_GE(static_cast<double>(bytes),
                  1.001 * static_cast<double>(comparison.crossovers[i - 1].bytes));
        EXPECT_NE(slower, faster);
      }
    }
  }
}

// Whoever took the lead last takes at most a thousandth longer than the fastest at every size.
TEST(Comparison, names_who_leads_at_every_size) {
  std::size_t changes = 0;
  for (const char* network : {"hypercube:5", "torus:4x8", "hexmesh:3", "circulant:13:1,5"}) {
    for (const char* collective : {"broadcast", "reduce-scatter", "alltoall", "allreduce"}) {
      const Comparison comparison =
          compare(problem(network, collective, schedule::PortModel::all()), powers_of_two(4, 24), machine);
      std::string leader = comparison.curves[comparison.fastest.front()].name;
      auto next = comparison.crossovers.begin();
      for (std::size_t s = 0; s < comparison.bytes.size(); ++s) {
        for (; next != comparison.crossovers.end() && next->bytes <= comparison.bytes[s]; ++next) {
          EXPECT_EQ(next->slower, leader);
          leader = next->faster;
          ++changes;
        }
        const double least = comparison.curves[comparison.fastest[s]].predictions[s].seconds;
        EXPECT_LE(curve(comparison, leader).predictions[s].seconds, 1.0011 * least)
            << network << ' ' << collective << ' ' << comparison.bytes[s];
      }
    }
  }
  EXPECT_GT(changes, 8U);
}

// Those that are not ahead too, whose messages are followed only to see whether they are.
TEST(Comparison, has_a_time_for_every_algorithm_and_size) {
  const cost::Machine busy{.startup_s = 1e-6,
                           .byte_time_s = 1e-9,
                           .ports = schedule::PortModel::all(),
                           .overhead_s = 1e-6,
                           .overhead_byte_s = 1e-10,
                           .receive_overhead_s = 1e-6,
                           .cut_through = true,
                           .hop_time_s = 1e-6};
  const Comparison comparison =
      compare(problem("hypercube:4", "broadcast", busy.ports), powers_of_two(6, 20), busy);
  for (const Curve& curve : comparison.curves) {
    for (const Prediction& prediction : curve.predictions)
      EXPECT_TRUE(std::isfinite(prediction.seconds) && prediction.seconds > 0) << curve.name;
  }
}

TEST(Comparison, refuses_what_no_algorithm_serves) {
  EXPECT_THROW(compare(problem("hypercube:13", "alltoall", schedule::PortModel::half()), {64}, machine),
               Error);
  EXPECT_THROW(compare(problem("hypercube:3", "broadcast", schedule::PortModel::one()), {64},
                       {.startup_s = -1, .byte_time_s = 0}),
               Error);
}

}  // namespace
}  // namespace isotrope::planner

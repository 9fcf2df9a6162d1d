// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/flow_scatter.hpp"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/verify/verify.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;

verify::Report check_scatter(const schedule::Problem& problem) {
  const schedule::Bound bound = bound::lower_bounds(problem).front();
  schedule::Schedule schedule =
      flow_scatter({problem.network, problem.failed}, problem.task.root, problem.task.parts, bound.value);
  const schedule::Claims claims{schedule.round_count(), schedule.hop_count(), {}, {}};
  return verify::verify({problem.network, problem.failed, problem.task, std::move(schedule), bound, claims});
}

verify::Report check_scatter(std::string_view name, Node root, std::uint32_t parts = 1) {
  const auto [network, lacks] = network::parse_named(name);
  return check_scatter({.network = network,
                        .failed = lacks,
                        .task = {.collective = schedule::Collective::scatter, .root = root, .parts = parts}});
}

// A line: the packets of one side, one a round.
TEST(FlowScatter, takes_the_rounds_of_the_longer_side_of_a_line) {
  for (Node root = 0; root < 9; ++root) {
    const verify::Report report = check_scatter("line:9", root, 2);
    EXPECT_TRUE(report.valid && report.claims_hold && report.optimal) << root;
    EXPECT_EQ(report.rounds, 2 * std::max(root, 8 - root)) << root;
  }
}

TEST(FlowScatter, meets_the_bound_from_every_root) {
  for (const char* name : {"mesh:3x4", "line:4xring:5", "ring:3xline:4", "line:3xcomplete:5",
                           "line:5xhypercube:2", "mesh:2x3x3"}) {
    const Node nodes = network::parse_named(name).network.order();
    for (Node root = 0; root < nodes; ++root) {
      for (const std::uint32_t parts : {1U, 2U, 5U}) {
        const verify::Report report = check_scatter(name, root, parts);
        EXPECT_TRUE(report.valid && report.claims_hold) << name;
        EXPECT_EQ(report.rounds, report.bound.value) << name << " from " << root << " in " << parts;
      }
    }
  }
}

// By degree: (N - 1) P over the ports of a corner; ring:3xline:11 by a cut behind the root: (27 * 3 + 3) / 3.
TEST(FlowScatter, takes_the_rounds_of_the_bound_on_larger_networks) {
  const auto rounds = [](const char* name, Node root, std::uint32_t parts) {
    const verify::Report report = check_scatter(name, root, parts);
    EXPECT_TRUE(report.valid && report.claims_hold && report.optimal) << name;
    return report.rounds;
  };
  EXPECT_EQ(rounds("mesh:8x8x8", 0, 1), 171);
  EXPECT_EQ(rounds("mesh:8x8x8", 292, 4), 341);
  EXPECT_EQ(rounds("line:8xring:16", 0, 1), 43);
  EXPECT_EQ(rounds("line:8xring:16", 0, 4), 170);
  EXPECT_EQ(rounds("ring:3xline:11", 20, 3), 28);
  EXPECT_EQ(rounds("line:10xcomplete:3", 24, 3), 25);
}

TEST(FlowScatter, goes_around_failures) {
  const network::Network torus = network::parse("torus:4x5");
  for (Node failed = 1; failed < torus.order(); ++failed) {
    const verify::Report report =
        check_scatter({.network = torus,
                       .failed = {{failed}, {{0, 1}}},
                       .task = {.collective = schedule::Collective::scatter, .parts = 3}});
    EXPECT_TRUE(report.valid && report.claims_hold) << failed;
    EXPECT_EQ(report.rounds, report.bound.value) << failed;
  }
}

TEST(FlowScatter, has_nothing_to_do_on_a_single_node) {
  EXPECT_EQ(check_scatter("ring:1", 0).rounds, 0);
}

}  // namespace
}  // namespace isotrope::algorithm

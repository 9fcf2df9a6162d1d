// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/segment_search.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/hypercube.hpp"
#include "isotrope/network/parse.hpp"

#include "isotrope/cost/round_time.hpp"

#include "isotrope/planner/plan.hpp"

#include "tests/planner/wanted.hpp"
#include "tests/sanitizers.hpp"

namespace isotrope::planner {
namespace {

// The fastest number of segments, each of at least one byte.
Prediction fastest(SegmentSearch& search, std::uint64_t bytes, const cost::Machine& machine) {
  return search.fastest_below(std::numeric_limits<double>::infinity(), bytes, machine).prediction;
}

Problem problem_for(const Algorithm& algorithm, std::uint32_t dimension, schedule::PortModel ports) {
  Problem problem{.network = network::hypercube(dimension),
                  .task = {.collective = algorithm.traits().collective},
                  .ports = ports,
                  .aggregation = algorithm.traits().strict ? 1 : unbounded};
  if (problem.task.collective == Collective::neighborhood) problem.task.nearest = problem.task.farthest = 1;
  if (problem.task.collective == Collective::isotropic) problem.task.destinations = {{1, 2}, {3, 1}};
  if (problem.task.collective == Collective::task) problem.task.deliveries = {{0, 3, 2}};
  return problem;
}

// Algorithms whose messages go to neighbours, with any number of parts.
std::vector<const Algorithm*> between_neighbours() {
  std::vector<const Algorithm*> result;
  for (const Algorithm* algorithm : catalog()) {
    if (!algorithm->traits().overlay && algorithm->name() != "recursive-doubling")
      result.push_back(algorithm);
  }
  return result;
}

const cost::Machine slow_links{.startup_s = 1e-3, .byte_time_s = 1e-6};

// 12 packets over MSBT under full duplex: 12 + 4 rounds of 1e-3 + 1e2 * 1e-6.
TEST(SegmentSearch, counts_rounds_of_equal_segments) {
  const Algorithm& msbt = algorithm_named("msbt-broadcast");
  SegmentSearch search(msbt, problem_for(msbt, 4, schedule::PortModel::one()), {});
  const Prediction prediction = search.with_segments(1200, 12, slow_links);
  EXPECT_EQ(prediction.rounds, 16u);
  EXPECT_EQ(prediction.segment_bytes, 100u);
  EXPECT_DOUBLE_EQ(prediction.seconds, 16 * 1.1e-3);
  EXPECT_DOUBLE_EQ(search.pipeline().per_packet, 1);
  EXPECT_DOUBLE_EQ(search.pipeline().fill, 4);
}

// Strict over 4 ports, of which the tree uses fewer and fewer: 4, 3, 2 and 1 messages of a node.
TEST(SegmentSearch, counts_the_messages_of_processors) {
  const Algorithm& tree = algorithm_named("binomial-tree-broadcast");
  SegmentSearch search(tree, problem_for(tree, 4, schedule::PortModel::all()), {});
  cost::Machine busy = slow_links;
  busy.overhead_s = 1e-2;
  const Prediction prediction = search.with_segments(100, 1, busy);
  EXPECT_DOUBLE_EQ(prediction.overhead_s, (4 + 3 + 2 + 1) * 1e-2);
  EXPECT_DOUBLE_EQ(prediction.startup_s, 4 * 1e-3);
  EXPECT_DOUBLE_EQ(prediction.transfer_s, 4 * 1e-4);
  EXPECT_EQ(prediction.link_bytes, 400u);
  EXPECT_DOUBLE_EQ(prediction.seconds, 0.1 + 4e-3 + 4e-4);
}

std::vector<Problem> problems_on(const Network& network, const Algorithm& algorithm) {
  std::vector<Problem> result;
  for (const auto ports : {schedule::PortModel::all(), schedule::PortModel::ports(2),
                           schedule::PortModel::one(), schedule::PortModel::half()}) {
    for (const std::uint64_t limit : {std::uint64_t{1}, unbounded}) {
      Problem problem = problem_for(algorithm, 1, ports);
      problem.network = network;
      problem.aggregation = limit;
      if (unsupported_reason(algorithm, problem) || algorithm.sends_far(problem, {.brief = true})) continue;
      result.push_back(std::move(problem));
    }
  }
  return result;
}

// What is predicted without a plan is what its rounds cost in round-synchronous execution.
TEST(SegmentSearch, agrees_with_the_rounds_of_the_plan) {
  cost::Machine busy{.startup_s = 1e-3, .byte_time_s = 1e-6, .internal_packet = 150, .overhead_s = 4e-4};
  unsigned trial = 0;
  for (const char* name : {"hypercube:4", "torus:3x4", "hexmesh:2", "circulant:7:1,2"}) {
    const Network network = network::parse(name);
    for (const Algorithm* algorithm : between_neighbours()) {
      for (Problem& problem : problems_on(network, *algorithm)) {
        if (is_left_out(trial++, 5)) continue;
        SegmentSearch search(*algorithm, problem, {.brief = true});
        for (const std::uint32_t segments : {1u, 6u}) {
          problem.task.parts = segments;
          const auto plan = make_plan(problem, *algorithm, {.brief = true});
          for (const cost::Machine& tried : {slow_links, busy}) {
            const double synchronous =
                cost::round_time(plan, tried, cost::Workload::in_parts(600, plan.task.parts));
            const Prediction found = search.with_segments(600, segments, tried);
            EXPECT_NEAR(found.seconds, synchronous, 1e-12 + 1e-9 * synchronous)
                << algorithm->name() << " " << name << " " << segments << " " << to_string(problem.ports);
            EXPECT_NEAR(found.overhead_s + found.startup_s + found.transfer_s, found.seconds,
                        1e-9 * found.seconds);
          }
        }
      }
    }
  }
}

// Rounds of many segments are counted from those of few, if a full pipeline repeats itself.
TEST(SegmentSearch, counts_many_segments_as_their_plan_does) {
  const cost::Machine busy{.startup_s = 1e-3, .byte_time_s = 1e-6, .overhead_s = 4e-4};
  int tried = 0;
  unsigned trial = 0;
  for (const char* name : {"hypercube:3", "torus:4x4", "hexmesh:2", "circulant:13:1,5"}) {
    const Network network = network::parse(name);
    for (const Algorithm* algorithm : between_neighbours()) {
      if (algorithm->traits().searched) continue;
      for (Problem& problem : problems_on(network, *algorithm)) {
        if (problem.aggregated() || is_left_out(trial++, 5)) continue;
        SegmentSearch search(*algorithm, problem, {.brief = true});
        for (const std::uint32_t segments : {91u, 124u}) {
          problem.task.parts = segments;
          const auto plan = make_plan(problem, *algorithm, {.brief = true});
          const double synchronous =
              cost::round_time(plan, busy, cost::Workload::in_parts(40 * segments, segments));
          EXPECT_NEAR(search.with_segments(40 * segments, segments, busy).seconds, synchronous,
                      1e-9 * synchronous)
              << algorithm->name() << " " << name << " " << segments << " " << to_string(problem.ports);
          ++tried;
        }
      }
    }
  }
  EXPECT_GT(tried, 100);
}

// Numbers of segments are passed over because of this.
TEST(SegmentSearch, never_needs_fewer_rounds_for_more_segments) {
  unsigned trial = 0;
  for (const char* name : {"hypercube:3", "torus:3x4", "hexmesh:3"}) {
    const Network network = network::parse(name);
    for (const Algorithm* algorithm : between_neighbours()) {
      for (Problem& problem : problems_on(network, *algorithm)) {
        if (is_left_out(trial++, 5)) continue;
        std::uint64_t fewer = 0;
        for (const std::uint32_t segments : {1u, 2u, 3u, 4u, 7u, 8u, 13u}) {
          problem.task.parts = segments;
          const std::uint64_t rounds = algorithm->rounds(problem, {.brief = true});
          EXPECT_GE(rounds, fewer) << algorithm->name() << " " << name << " " << segments;
          fewer = rounds;
        }
      }
    }
  }
}

// Unbounded messages: as many parts as ports fill the ports; over one port they gain nothing.
TEST(SegmentSearch, splits_to_fill_the_ports) {
  int splitting = 0;
  for (const Algorithm* algorithm : between_neighbours()) {
    if (!algorithm->traits().splits) continue;
    const Problem problem = problem_for(*algorithm, 4, schedule::PortModel::all());
    if (unsupported_reason(*algorithm, problem)) continue;
    SegmentSearch search(*algorithm, problem, {});
    const Prediction found = fastest(search, 1 << 20, slow_links);
    for (const std::uint32_t segments : {1u, 4u, 8u}) {
      EXPECT_LE(found.seconds, search.with_segments(1 << 20, segments, slow_links).seconds)
          << algorithm->name();
    }
    ++splitting;
  }
  EXPECT_GT(splitting, 0);
}

// What cannot be below a limit is said to be above it, and is.
TEST(SegmentSearch, passes_over_what_cannot_be_below_a_limit) {
  int passed = 0;
  for (const Algorithm* algorithm : between_neighbours()) {
    const Problem problem = problem_for(*algorithm, 4, schedule::PortModel::all());
    if (unsupported_reason(*algorithm, problem)) continue;
    SegmentSearch parts(*algorithm, problem, {});
    const double least = fastest(parts, 5000, slow_links).seconds;
    for (const double limit : {0.5 * least, 0.999 * least, 1.001 * least}) {
      SegmentSearch search(*algorithm, problem, {});
      const auto [prediction, at_least] = search.fastest_below(limit, 5000, slow_links);
      EXPECT_EQ(at_least, limit < least) << algorithm->name();
      EXPECT_GE(prediction.seconds, std::min(limit, least));
      EXPECT_LE(prediction.seconds, least * (1 + 1e-12));
      passed += at_least;
    }
  }
  EXPECT_GT(passed, 0);
}

// No number of segments is faster by more than next to nothing: the search tries few, this test all of them. Of
// algorithms that search fewer are tried.
TEST(SegmentSearch, finds_the_best_number_of_segments) {
  unsigned trial = 0;
  for (const Algorithm* algorithm : between_neighbours()) {
    for (const auto ports : {schedule::PortModel::all(), schedule::PortModel::one()}) {
      const Problem problem = problem_for(*algorithm, 3, ports);
      if (unsupported_reason(*algorithm, problem) || problem.aggregated() || is_left_out(trial++, 4))
        continue;
      SegmentSearch search(*algorithm, problem, {.brief = true});
      for (const std::uint64_t internal : {0u, 1024u}) {
        cost::Machine with_pieces = slow_links;
        with_pieces.internal_packet = internal;
        for (const std::uint64_t bytes : {1u, 100u, 5000u, 40000u}) {
          const double found = fastest(search, bytes, with_pieces).seconds;
          double least = found;
          const std::uint64_t most = algorithm->traits().searched ? 60 : 300;
          for (std::uint32_t segments = 1; segments <= std::min(bytes, most); ++segments)
            least = std::min(least, search.with_segments(bytes, segments, with_pieces).seconds);
          const double tolerance = algorithm->traits().searched ? 1.15 : 1.02;
          EXPECT_LE(found, tolerance * least) << algorithm->name() << " " << bytes << " " << internal;
        }
      }
    }
  }
}

// Links of 1 us and 1 GB/s whose start-ups overlap.
cost::Machine through() {
  return {.startup_s = 1e-6,
          .byte_time_s = 1e-9,
          .ports = schedule::PortModel::all(),
          .cut_through = true,
          .hop_time_s = 1e-6};
}

// MSBT on 16 nodes: trees of height 5. 40 segments, 10 per tree, of which the first is 2 % of the others: 9020
// bytes per tree are segments of 1000 bytes. 5 hops of 2 us, 8.02 us for what follows, and 1/32.
TEST(SegmentSearch, counts_what_pipelined_execution_takes) {
  const Algorithm& msbt = algorithm_named("msbt-broadcast");
  SegmentSearch search(msbt, problem_for(msbt, 4, schedule::PortModel::all()), {});
  const Prediction prediction = search.with_window(4 * 9020, 40, 2, through());
  EXPECT_EQ(prediction.segment_bytes, 1000u);
  EXPECT_EQ(prediction.window, 2u);
  EXPECT_EQ(prediction.rounds, 14u);
  EXPECT_NEAR(prediction.seconds, (5 * 2e-6 + 8.02e-6) * 33 / 32, 1e-12);
  EXPECT_NEAR(prediction.overhead_s + prediction.startup_s + prediction.transfer_s, prediction.seconds,
              1e-15);
}

// Times of bench/simgrid/judge.py on these networks, in us.
TEST(SegmentSearch, agrees_with_simulated_times) {
  struct Measured {
    std::string_view algorithm;
    std::string_view network;
    std::uint64_t bytes;
    double us;
  };
  const Measured measured[] = {{"msbt-broadcast", "hypercube:4", 4096, 7.75},
                               {"msbt-broadcast", "hypercube:4", 65536, 24.63},
                               {"msbt-broadcast", "hypercube:4", 1048576, 278.57},
                               {"msbt-broadcast", "hypercube:6", 65536, 21.65},
                               {"disjoint-trees-broadcast", "torus:8x8", 65536, 29.33},
                               {"disjoint-trees-broadcast", "torus:8x8", 300000, 91.60},
                               {"disjoint-trees-broadcast", "hexmesh:3", 1048576, 185.35},
                               {"msbt-reduce", "hypercube:4", 65536, 25.59},
                               {"msbt-reduce", "hypercube:4", 1048576, 278.58},
                               {"disjoint-trees-reduce", "torus:4x4", 262144, 76.35}};
  for (const Measured& one : measured) {
    const Algorithm& algorithm = algorithm_named(one.algorithm);
    const Problem problem{.network = network::parse(std::string(one.network)),
                          .task = {.collective = algorithm.traits().collective}};
    SegmentSearch search(algorithm, problem, {});
    const Prediction prediction = fastest(search, one.bytes, through());
    EXPECT_GT(prediction.window, 1u);
    EXPECT_NEAR(prediction.seconds * 1e6 / one.us, 1, 0.06) << one.network << ' ' << one.bytes;
  }
}

TEST(SegmentSearch, pipelines_only_if_that_helps) {
  const Algorithm& msbt = algorithm_named("msbt-broadcast");
  SegmentSearch search(msbt, problem_for(msbt, 4, schedule::PortModel::all()), {});
  EXPECT_EQ(fastest(search, 64, through()).window, 1u);
  EXPECT_GT(fastest(search, 65536, through()).window, 1u);

  cost::Machine stopping = through();
  stopping.cut_through = false;
  stopping.hop_time_s = 0;
  EXPECT_EQ(fastest(search, 65536, stopping).window, 1u);
  cost::Machine busy = through();
  busy.overhead_s = 1e-6;
  EXPECT_EQ(fastest(search, 16384, busy).window, 1u);
  EXPECT_GT(fastest(search, 1 << 20, busy).window, 1u);

  EXPECT_TRUE(search.pipelines(through()));
  SegmentSearch one_port(msbt, problem_for(msbt, 4, schedule::PortModel::one()), {});
  EXPECT_FALSE(one_port.pipelines(through()));
  const Algorithm& reduce = algorithm_named("msbt-reduce");
  EXPECT_TRUE(
      SegmentSearch(reduce, problem_for(reduce, 4, schedule::PortModel::all()), {}).pipelines(through()));
  const Algorithm& barrier = algorithm_named("layered-tree-barrier");
  EXPECT_FALSE(
      SegmentSearch(barrier, problem_for(barrier, 4, schedule::PortModel::all()), {}).pipelines(through()));
}

}  // namespace
}  // namespace isotrope::planner

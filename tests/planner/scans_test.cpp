// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans and exscans of the catalogue on small networks of all families, held against a reference that writes down which
// contributions every value of every node contains; and executed, by the ranks' programs and in threads.
#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/local/run.hpp"
#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/port_map.hpp"

#include "tests/planner/wanted.hpp"
#include "tests/rank/emulation.hpp"
#include "tests/sanitizers.hpp"

namespace isotrope::planner {
namespace {

using schedule::Node;
using schedule::Plan;
using schedule::PortModel;
using schedule::ValueId;

// ---- the reference, by the words of docs/plan-file.md

// The nodes whose contributions a value contains, ascending, as often as it contains them.
using Contributors = std::vector<Node>;

class ValuesOfNodes {
 public:
  explicit ValuesOfNodes(Node nodes) : of_(nodes) {
    for (Node node = 0; node < nodes; ++node) of_[node] = {{node}};
  }
  void receive(Node node, Contributors value) { of_[node].push_back(std::move(value)); }
  const std::vector<Contributors>& of(Node node) const { return of_[node]; }
  Contributors sum(Node node, const std::vector<ValueId>& values) const {
    Contributors result;
    for (const ValueId value : values) {
      const Contributors& one = of_[node].at(value);
      result.insert(result.end(), one.begin(), one.end());
    }
    std::ranges::sort(result);
    return result;
  }

 private:
  std::vector<std::vector<Contributors>> of_;
};

std::vector<ValuesOfNodes> values_at_the_end(const Plan& plan) {
  const Plan written = verify::expand(plan);
  const schedule::Stage& stage = written.schedule.stages.at(0);
  const Network& network = hop_network(plan);
  std::vector<ValuesOfNodes> now(plan.task.parts, ValuesOfNodes(network.order()));
  for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
    const std::vector<ValuesOfNodes> before = now;
    for (const schedule::Hop& hop : stage.rounds.round(t)) {
      const schedule::Sum& sum = stage.sums.at(hop.packet);
      now[sum.part].receive(network.neighbour(hop.from, hop.port),
                            before[sum.part].sum(hop.from, sum.values));
    }
  }
  return now;
}

// Whether every node ends with the contributions of the nodes up to it, or before it, each exactly once.
bool has_prefixes(const Plan& plan) {
  const std::vector<ValuesOfNodes> values = values_at_the_end(plan);
  const Plan written = verify::expand(plan);
  const auto& lists = written.schedule.stages.at(0).result;
  const Node nodes = plan.network.order();
  for (std::uint32_t part = 0; part < plan.task.parts; ++part) {
    for (Node node = 0; node < nodes; ++node) {
      const Node end = node + (plan.task.collective == Collective::scan ? 1 : 0);
      const auto& list = lists.size() == plan.task.parts ? lists[part] : lists[part * nodes + node];
      Contributors listed = values[part].sum(node, list), added, wanted;
      for (const ValueId value : list) {
        const Contributors& one = values[part].of(node)[value];
        if (one.back() < end) added.insert(added.end(), one.begin(), one.end());
      }
      for (Node other = 0; other < end; ++other) wanted.push_back(other);
      std::ranges::sort(added);
      const bool disjoint = std::ranges::adjacent_find(listed) == listed.end();
      if (!disjoint || added != wanted) return false;
    }
  }
  return true;
}

// ---- the plans

std::vector<Plan> scans_on(const char* network, const char* collective, PortModel ports,
                           std::uint32_t parts) {
  std::vector<Plan> result;
  for (const Algorithm* algorithm : catalog()) {
    Problem problem = problem_on(network, collective);
    if (algorithm->traits().collective != problem.task.collective) continue;
    problem.ports = ports;
    problem.task.parts = algorithm->traits().overlay ? 1 : parts;
    for (const std::uint64_t limit : {std::uint64_t{1}, unbounded}) {
      problem.aggregation = limit;
      if (unsupported_reason(*algorithm, problem)) continue;
      for (const Parameters& parameters : algorithm->choices(problem))
        result.push_back(make_plan(problem, *algorithm, parameters));
    }
  }
  return result;
}

class Scans : public testing::TestWithParam<const char*> {
 protected:
  template <class Check>
  static void for_all(const Check& check) {
    const Network network = network::parse(GetParam());
    unsigned trial = 0;
    for (const char* collective : {"scan", "exscan"}) {
      for (const PortModel ports : map_ports(network)) {
        for (const std::uint32_t parts : {1U, 3U}) {
          if (is_left_out(trial++, 6)) continue;
          SCOPED_TRACE(fmt::format("{}, {}, {} parts", collective, to_string(ports), parts));
          const std::vector<Plan> plans = scans_on(GetParam(), collective, ports, parts);
          EXPECT_GE(plans.size(), 1U);
          for (const Plan& plan : plans) check(plan);
        }
      }
    }
  }
};

TEST_P(Scans, give_every_node_the_sum_of_those_up_to_it) {
  for_all([](const Plan& plan) {
    EXPECT_TRUE(has_prefixes(plan));
    EXPECT_EQ(fault_of(verify::verify(plan)), "");
    EXPECT_EQ(fault_of(verify::verify(verify::expand(plan))), "");
  });
}

TEST_P(Scans, add_up_real_vectors) {
  for_all([](const Plan& plan) {
    for (const std::uint64_t elements : {0U, 1U, 10U}) EXPECT_EQ(rank::emulate(plan, elements), "");
    const local::RunResult run = local::run(plan, {.block_bytes = 24, .threads = 2});
    EXPECT_TRUE(run.correct) << run.first_error;
    const local::RunResult rounded = local::run(
        plan, {.block_bytes = 24, .reduction = {local::Type::float32, local::Operation::prod}, .threads = 1});
    EXPECT_TRUE(rounded.correct) << rounded.first_error;
  });
}

// A value less, twice, or of another message is found by the reference, by the checker and in the run.
TEST_P(Scans, are_wrong_if_a_value_is_changed) {
  if (network::parse(GetParam()).order() < 3) GTEST_SKIP() << "too few values to confuse";
  for (const Plan& plan : scans_on(GetParam(), "scan", PortModel::all(), 1)) {
    std::vector<Plan> damaged(3, plan);
    for (auto& list : damaged[0].schedule.stages[0].result) list.pop_back();
    for (auto& list : damaged[1].schedule.stages[0].result) list.push_back(list.back());
    auto& last = damaged[2].schedule.stages[0].sums.back().values;
    last.push_back(last.front());
    for (const Plan& wrong : damaged) {
      EXPECT_FALSE(has_prefixes(wrong));
      EXPECT_FALSE(verify::verify(wrong).valid);
      EXPECT_FALSE(local::run(wrong, {.block_bytes = 40, .threads = 2}).correct);
    }
  }
}

// Every hop matters: without it, a node lacks a value that a later sum or its result lists.
TEST_P(Scans, are_wrong_without_a_hop) {
  for (const Plan& plan : scans_on(GetParam(), "exscan", PortModel::all(), 1)) {
    const schedule::Rounds whole = plan.schedule.stages[0].rounds;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(whole.hop_count(), 40); ++i) {
      Plan damaged = plan;
      schedule::Rounds& rounds = damaged.schedule.stages[0].rounds = {};
      std::uint64_t number = 0;
      for (std::uint64_t t = 0; t < whole.size(); ++t) {
        for (const schedule::Hop& hop : whole.round(t)) {
          if (number++ != i) rounds.add(hop);
        }
        rounds.close_round();
      }
      EXPECT_FALSE(verify::verify(damaged).valid) << "hop " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Scans,
                         testing::Values("torus:1", "ring:2", "ring:5", "ring:8", "hypercube:3",
                                         "hypercube:4", "torus:3x4", "torus:2x3x2", "torus:4x1x5",
                                         "hexmesh:2", "hexmesh:3", "complete:3", "complete:7", "complete:16",
                                         "circulant:12:1,4", "circulant:9:1,2,4", "circulant:7:2,3",
                                         "twisted-torus:2x4x4"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::ranges::replace_if(
                               name, [](char c) { return c == ':' || c == ',' || c == '-'; }, '_');
                           return name;
                         });

// ---- rounds

std::uint64_t rounds_of(const char* network, PortModel ports, std::uint32_t parts = 1,
                        std::uint64_t aggregation = 1, const char* algorithm = "") {
  Wanted wanted = wanted_on(network, "scan", "all", algorithm);
  wanted.problem.ports = ports;
  wanted.problem.task.parts = parts;
  wanted.problem.aggregation = aggregation;
  return make_plan(wanted).schedule.round_count();
}

TEST(ScanRounds, are_the_diameter_on_tori) {
  for (const char* network :
       {"ring:7", "hypercube:5", "torus:4x4", "torus:3x5x2", "torus:6x6", "torus:2x2x9"}) {
    const std::uint64_t diameter = network::parse(network).diameter();
    EXPECT_EQ(rounds_of(network, PortModel::all()), diameter) << network;
    EXPECT_EQ(rounds_of(network, PortModel::ports(2)), diameter) << network;
    EXPECT_EQ(rounds_of(network, PortModel::all(), 3, unbounded), diameter) << network;
  }
}

// A part begins when the longest axis is free: 2 axes of floor(5 / 2) rounds.
TEST(ScanRounds, overlap_parts) {
  const auto rounds = [](const char* network, PortModel ports) {
    return rounds_of(network, ports, 10, 1, "axis-scan");
  };
  EXPECT_EQ(rounds("torus:5x5", PortModel::all()), 4U + 9 * 2);
  EXPECT_EQ(rounds("hypercube:6", PortModel::all()), 6U + 9);
  EXPECT_EQ(rounds("hypercube:6", PortModel::ports(2)), 6U + 9 * 3);
  EXPECT_EQ(rounds("hypercube:6", PortModel::one()), 60U);
}

TEST(ScanRounds, double_over_one_port) {
  for (const char* network : {"complete:5", "complete:16", "complete:33", "hypercube:5"}) {
    const auto nodes = network::parse(network).order();
    EXPECT_EQ(rounds_of(network, PortModel::one()), std::bit_width(nodes - 1U)) << network;
  }
}

TEST(ScanRounds, are_the_diameter_on_hexagonal_meshes) {
  for (std::uint32_t n = 2; n <= 14; ++n) {
    const std::string network = fmt::format("hexmesh:{}", n);
    EXPECT_EQ(rounds_of(network.c_str(), PortModel::all()), n - 1) << network;
  }
}

TEST(ScanRounds, are_the_height_of_a_tree_in_aggregated_rounds) {
  Wanted wanted = wanted_on("hexmesh:6", "scan", "all", "tree-scan");
  wanted.problem.aggregation = unbounded;
  for (const std::uint32_t parts : {1U, 4U}) {
    wanted.problem.task.parts = parts;
    EXPECT_EQ(make_plan(wanted).schedule.round_count(), 5U);
  }
}

// ceil(log2 N) + diameter, over all ports.
TEST(ScanRounds, stay_below_log_and_diameter) {
  for (const char* network :
       {"complete:40", "circulant:12:1,4", "circulant:40:1,6", "circulant:13:1,2,4,7", "circulant:29:1,5,12",
        "circulant:61:5,6", "circulant:313:12,13", "circulant:1013:22,23", "circulant:200:1,14",
        "circulant:300:1,17,60", "circulant:1000:1,10,100", "twisted-torus:2x4x4", "twisted-torus:4x8",
        "twisted-torus:4x4x8", "twisted-torus:4x8x8", "twisted-torus:8x8x16", "twisted-torus:8,0/3,8"}) {
    const Network parsed = network::parse(network);
    if (is_sanitized && parsed.order() > 100) continue;
    EXPECT_LE(rounds_of(network, PortModel::all()),
              static_cast<std::uint64_t>(std::bit_width(parsed.order() - 1U)) + parsed.diameter())
        << network;
  }
}

// A part begins when the links and ports of the one before are free, so a part costs less than the first one.
TEST(ScanRounds, grow_evenly_with_parts) {
  for (const PortModel ports : {PortModel::all(), PortModel::ports(2), PortModel::one()}) {
    const auto rounds = [&](std::uint32_t parts) {
      return rounds_of("hexmesh:4", ports, parts, 1, "tree-scan");
    };
    const std::uint64_t one = rounds(1), two = rounds(2);
    EXPECT_LE(two, 2 * one);
    EXPECT_EQ(rounds(7), one + 6 * (two - one));
  }
}

Wanted interval_scan_on(const char* name, const char* collective, const char* ports, std::uint32_t parts) {
  auto [network, lacks] = network::parse_named(name);
  const auto model = schedule::parse_port_model(ports, network.degree());
  schedule::Task task = schedule::parse_task(collective, network);
  task.parts = parts;
  Problem problem{.network = std::move(network), .failed = std::move(lacks), .task = task, .ports = model};
  return {std::move(problem), {.algorithm = "interval-scan"}};
}

// A vector goes about twice over a link, whatever the number of nodes.
TEST(IntervalScan, sends_parts_closely_one_after_the_other) {
  const auto rounds = [](const char* network, std::uint32_t parts) {
    return make_plan(interval_scan_on(network, "scan", "all", parts)).schedule.round_count();
  };
  EXPECT_EQ(rounds("line:9", 1), 8U);
  EXPECT_EQ(rounds("line:9", 50), 8U + 49);
  for (const auto& [network, diameter] : {std::pair("mesh:4x4", 6U), std::pair("mesh:3x4x5", 9U),
                                          std::pair("mesh:16x16", 30U), std::pair("mesh:2x2x9", 10U)}) {
    EXPECT_LE(rounds(network, 1), diameter + 1) << network;
    EXPECT_EQ(rounds(network, 50), rounds(network, 1) + 49) << network;
  }
}

// Parts that go along stars from different nodes share no link but those between the middles: 2 P / N rounds and 2.
TEST(IntervalScan, shares_the_links_of_complete_networks) {
  for (const std::uint32_t parts : {1U, 16U, 160U})
    EXPECT_LE(rounds_of("complete:16", PortModel::all(), parts, 1, "interval-scan"), 2 * parts / 16 + 2);
}

TEST(IntervalScan, serves_networks_of_all_kinds) {
  for (const char* network :
       {"line:2", "mesh:3x4", "line:4xring:5", "complete:3xline:4", "mesh:3x3@2,1", "circulant:9:1,2"}) {
    for (const char* ports : {"all", "2", "one", "half"}) {
      if (network == std::string("line:2") && ports == std::string("2")) continue;
      Wanted wanted = interval_scan_on(network, "exscan", ports, 5);
      for (const bool without_nodes : {false, true}) {
        if (without_nodes) {
          if (wanted.problem.network.order() < 7) continue;
          wanted.problem.failed.nodes = {0, 5};
        }
        SCOPED_TRACE(fmt::format("{}, {}, {}", network, ports, without_nodes));
        const Plan plan = make_plan(wanted);
        EXPECT_EQ(fault_of(verify::verify(plan)), "");
        const local::RunResult run = local::run(plan, {.block_bytes = 40, .threads = 2});
        EXPECT_TRUE(run.correct) << run.first_error;
      }
    }
  }
}

TEST(IntervalScan, refuses_what_it_does_not_plan) {
  using testing::HasSubstr;
  const auto refused = [](const char* network, std::uint32_t parts, std::uint64_t aggregation = 1) {
    Wanted wanted = interval_scan_on(network, "scan", "all", parts);
    wanted.problem.aggregation = aggregation;
    return refusal_of(wanted);
  };
  EXPECT_EQ(refused("mesh:8x8", 1000), "");
  EXPECT_THAT(refused("mesh:8x8", 1, unbounded), HasSubstr("give no --merge"));
  EXPECT_THAT(refused("mesh:8x8", 40000), HasSubstr("4194304 at most, and here are 5120000 or more"));
  EXPECT_THAT(refused("hypercube:17", 1), HasSubstr("1048576 directed links at most"));
}

TEST(TreeScan, refuses_what_it_does_not_plan) {
  using testing::HasSubstr;
  const auto refused = [](const char* network, const char* ports = "all", std::uint32_t parts = 1) {
    Wanted wanted = wanted_on(network, "scan", ports, "tree-scan");
    wanted.problem.task.parts = parts;
    return refusal_of(wanted);
  };
  EXPECT_EQ(refused("hexmesh:4"), "");
  EXPECT_THAT(refused("complete:5"), HasSubstr("every node is a neighbour of every other"));
  EXPECT_THAT(refused("hexmesh:4", "half"), HasSubstr("every node sends and receives at once"));
  EXPECT_THAT(refused("hexmesh:45"), HasSubstr("every pair of nodes in every part, 33554432 at most"));
  EXPECT_THAT(refused("hexmesh:12", "all", 300), HasSubstr("and here are 47282700"));
}

TEST(ScanPlans, of_thousands_of_nodes_are_planned_and_proved) {
  for (const char* network : {"hexmesh:30", "circulant:2049:1,64"}) {
    const Plan plan = make_plan(problem_on(network, "exscan"));
    const verify::Report report = verify::verify(plan);
    EXPECT_TRUE(report.valid && report.optimal) << network;
    EXPECT_EQ(report.rounds, network::parse(network).diameter()) << network;
  }
}

TEST(ScanPlans, of_a_million_nodes_are_planned_and_proved) {
  const Plan plan = make_plan(problem_on("hypercube:20", "exscan"));
  const verify::Report report = verify::verify(plan);
  EXPECT_TRUE(report.valid && report.optimal);
  EXPECT_EQ(report.rounds, 20U);
}

TEST(ScanPlans, have_the_bounds_of_a_broadcast_from_node_0_and_a_cut) {
  for (const char* network : {"hypercube:3", "torus:3x4", "hexmesh:3"}) {
    for (const PortModel ports : map_ports(network::parse(network))) {
      Problem scan = problem_on(network, "scan"), broadcast = problem_on(network, "broadcast");
      scan.ports = broadcast.ports = ports;
      scan.task.parts = broadcast.task.parts = 5;
      auto of_scan = bound::lower_bounds(scan);
      const auto of_broadcast = bound::lower_bounds(broadcast);
      EXPECT_EQ(std::erase_if(of_scan, [](const auto& bound) { return bound.kind == "cut"; }), 1U);
      ASSERT_EQ(of_scan.size(), of_broadcast.size());
      for (std::size_t i = 0; i < of_scan.size(); ++i) {
        EXPECT_EQ(of_scan[i].kind, of_broadcast[i].kind);
        EXPECT_EQ(of_scan[i].value, of_broadcast[i].value);
      }
    }
  }
}

}  // namespace
}  // namespace isotrope::planner

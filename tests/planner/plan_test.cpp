// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/plan.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/bound/delay.hpp"
#include "isotrope/bound/work.hpp"

#include "tests/planner/wanted.hpp"
#include "tests/sanitizers.hpp"

namespace isotrope::planner {
namespace {

using schedule::Node;
using testing::HasSubstr;

Wanted wanted_of(std::string_view network, std::string_view collective, std::string_view ports = "all",
                 std::string algorithm = "") {
  Wanted result = wanted_on(network, collective, ports, std::move(algorithm));
  const Node last = result.problem.network.order() - 1;
  if (collective == "isotropic") result.problem.task.destinations = {{last, 2}, {last / 2, 1}};
  if (collective == "task")
    result.problem.task.deliveries = {{0, last, 2}, {last, last / 2, 1}, {last / 2, 0, 3}};
  return result;
}

// Bertsekas et al. 1991, Table I: every claim of the paper, for d = 1..20.
TEST(Planner, plans_the_three_collectives_of_bertsekas_et_al_optimally) {
  for (unsigned d = 1; d <= unless_sanitized(20, 14); ++d) {
    for (const char* collective : {"allgather", "scatter", "alltoall"}) {
      schedule::Plan plan = make_plan(wanted_of("hypercube:" + std::to_string(d), collective));
      EXPECT_FALSE(plan.claims.optimal) << "nothing is claimed before it is verified";
      const verify::Report report = certify(plan);
      EXPECT_TRUE(report.valid && report.optimal && report.claims_hold && plan.claims.optimal)
          << d << " " << collective;
      EXPECT_EQ(report.transmissions, bound::least_transmissions(problem_of(plan)));
    }
  }
}

// The problem in the form that the algorithm has: strict, or else aggregated.
Wanted in_form_of(const Algorithm& algorithm, Wanted wanted) {
  wanted.problem.aggregation = algorithm.traits().strict ? 1 : unbounded;
  wanted.preferences.objective = algorithm.traits().least_delay ? Objective::delay : Objective::completion;
  const schedule::Port degree = wanted.problem.network.degree();
  if (algorithm.traits().packs) wanted.problem.step_limits = {{.sends = degree, .load = degree}};
  return wanted;
}

// Valid, in the rounds that the algorithm foretells, with every choice of its parameters.
int checked_plans(const Algorithm& algorithm, const Problem& problem) {
  int plans = 0;
  for (Parameters parameters : algorithm.choices(problem)) {
    parameters.brief = true;
    schedule::Plan plan = make_plan(problem, algorithm, parameters);
    const verify::Report report = certify(plan);
    const std::string what = algorithm.name() + " on " + problem.network.name() + ", ports " +
                             to_string(problem.ports) + ", " + std::to_string(problem.task.parts) +
                             " parts, " + std::to_string(parameters.digits) + " digits";
    EXPECT_EQ(fault_of(report), "") << what;
    EXPECT_EQ(plan.schedule.round_count(), algorithm.rounds(problem, parameters)) << what;
    EXPECT_EQ(report.rounds, algorithm.rounds(problem, parameters)) << what;
    ++plans;
  }
  return plans;
}

// What goes over overlays is sent whole; some parameters fix the parts.
std::vector<std::uint32_t> parts_of(const Algorithm& algorithm, const Problem& problem) {
  const auto choices = algorithm.choices(problem);
  const bool whole = algorithm.traits().overlay || algorithm.overlay(problem, choices.front()) ||
                     algorithm.name() == "recursive-doubling" ||
                     algorithm.fixed_parts(problem, choices.front()) > 0;
  return whole ? std::vector<std::uint32_t>{1} : std::vector<std::uint32_t>{1, 3, 8};
}

std::vector<const char*> port_models_of(const Network& network) {
  std::vector<const char*> result{"all", "one", "half"};
  constexpr std::array numbers{"1", "2", "3"};
  const std::size_t fitting = std::min<std::size_t>(numbers.size(), network.degree());
  result.insert(result.end(), numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(fitting));
  return result;
}

class Catalogue : public testing::TestWithParam<const char*> {};

// Every algorithm under every port model it takes.
TEST_P(Catalogue, keeps_what_every_algorithm_claims) {
  const Network network = network::parse(GetParam());
  constexpr schedule::Node most_sanitized_nodes = 9;
  if (is_sanitized && network.order() > most_sanitized_nodes)
    GTEST_SKIP() << "its many plans take minutes under sanitizers";
  for (const Algorithm* algorithm : catalog()) {
    if (algorithm->traits().for_machines && network.order() > 64) continue;
    for (const char* ports : port_models_of(network)) {
      Wanted wanted = in_form_of(*algorithm, wanted_of(GetParam(), collective_name(*algorithm), ports));
      if (unsupported_reason(*algorithm, wanted)) continue;
      for (const std::uint32_t parts : parts_of(*algorithm, wanted.problem)) {
        wanted.problem.task.parts = parts;
        EXPECT_GT(checked_plans(*algorithm, wanted.problem), 0) << algorithm->name();
      }
    }
  }
}

constexpr std::array catalogue_networks{"hypercube:1",   "hypercube:2",      "hypercube:3", "hypercube:4",
                                        "hypercube:5",   "hypercube:6",      "hypercube:7", "hexmesh:2",
                                        "hexmesh:4",     "torus:3x3",        "ring:5@2",    "torus:3x2@2,1",
                                        "hypercube:2@3", "circulant:7:1,2@2"};
INSTANTIATE_TEST_SUITE_P(Planner, Catalogue, testing::ValuesIn(catalogue_networks));

// Algorithms around failures have their own tests, on networks with failures.
TEST(Planner, tries_every_algorithm_of_the_catalogue) {
  for (const Algorithm* algorithm : catalog()) {
    if (algorithm->traits().around_failures) continue;
    const bool is_tried = std::ranges::any_of(catalogue_networks, [&](const char* name) {
      return std::ranges::any_of(port_models_of(network::parse(name)), [&](const char* ports) {
        const Wanted wanted = in_form_of(*algorithm, wanted_of(name, collective_name(*algorithm), ports));
        return !unsupported_reason(*algorithm, wanted);
      });
    });
    EXPECT_TRUE(is_tried) << algorithm->name();
  }
}

// What the catalogue derives by reversal, on networks of three kinds and from another root.
TEST(Planner, derives_reversals_that_hold) {
  int derived = 0;
  for (const Algorithm* original : catalog()) {
    const auto collective = schedule::traits_of(original->traits().collective).reversal;
    const std::string& name = original->traits().reversed.name;
    if (name.empty()) continue;
    ASSERT_TRUE(collective) << name;
    const Algorithm& algorithm = algorithm_named(name, *collective);
    EXPECT_THAT(algorithm.traits().source, HasSubstr(original->name()));
    ++derived;
    int plans = 0;
    const std::vector<std::pair<const char*, network::Failures>> networks{
        {"hypercube:3", {{1}, {}}},    {"torus:3x4", {{1}, {}}},
        {"torus:4x4", {{}, {{1, 0}}}}, {"hexmesh:3", {{1}, {}}},
        {"complete:5", {{1}, {}}},     {"ring:4xcomplete:3", {{3, 4, 5}, {}}}};  // all places of a node
    for (const auto& [network, failed] : networks) {
      Wanted wanted = in_form_of(algorithm, wanted_of(network, collective_name(algorithm)));
      if (original->traits().around_failures) wanted.problem.failed = failed;
      if (schedule::is_rooted(*collective)) wanted.problem.task.root = wanted.problem.network.order() - 2;
      for (const auto ports : {schedule::PortModel::one(), schedule::PortModel::half()}) {
        if (unsupported_reason(algorithm, wanted)) wanted.problem.ports = ports;
      }
      if (unsupported_reason(algorithm, wanted)) continue;
      plans += checked_plans(algorithm, wanted.problem);
      Problem forward = wanted.problem;
      forward.task.collective = original->traits().collective;
      EXPECT_EQ(algorithm.rounds(wanted.problem, {.digits = 1}), original->rounds(forward, {.digits = 1}))
          << name;
    }
    EXPECT_GT(plans, 0) << name;
  }
  EXPECT_GT(derived, 20);
}

// On networks of three kinds; around failures, of node 0 too, which else has the sum first.
TEST(Planner, derives_allreduces_and_barriers) {
  for (const Algorithm* original : catalog()) {
    const Traits& traits = original->traits();
    for (const auto& [name, collective] :
         {std::pair(traits.reversed_then_forward.name, Collective::allreduce),
          std::pair(traits.barrier.name, Collective::barrier)}) {
      if (name.empty()) continue;
      const Algorithm& both = algorithm_named(name, collective);
      int plans = 0;
      const auto add_if_supported = [&](const Wanted& wanted) {
        if (!unsupported_reason(both, wanted)) plans += checked_plans(both, wanted.problem);
      };
      const std::vector<std::pair<const char*, std::vector<network::Node>>> networks{
          {"torus:3x4", {2}}, {"hypercube:3", {5}}, {"ring:4xcomplete:3", {0, 1, 2}}};
      for (const auto& [network, failed] : networks) {
        Wanted wanted = in_form_of(both, wanted_of(network, collective_name(both)));
        add_if_supported(wanted);
        Wanted half = wanted;
        half.problem.ports = schedule::PortModel::half();
        add_if_supported(half);
        if (!traits.around_failures) continue;
        wanted.problem.failed.nodes = failed;
        add_if_supported(wanted);
      }
      EXPECT_GT(plans, 0) << name;
    }
  }
}

// Scatter and gather along trees, in every order and with every size of messages.
TEST(Planner, keeps_orders_and_aggregation_limits) {
  unsigned trial = 0;
  for (const Algorithm* algorithm : catalog()) {
    if (!algorithm->traits().takes_order) continue;
    const std::string collective = collective_name(*algorithm);
    for (const char* order : {"descending", "reverse-breadth-first", "postorder", "preorder", "cyclic",
                              "cyclic-descending", "cyclic-postorder", "cyclic-preorder"}) {
      for (const char* ports : {"all", "2", "one", "half"}) {
        for (const std::uint64_t limit : {std::uint64_t{1}, std::uint64_t{3}, unbounded}) {
          if (is_left_out(trial++, 5)) continue;
          Wanted wanted = wanted_of("hypercube:5", collective, ports, algorithm->name());
          wanted.preferences.order = algorithm::parse_root_order(order);
          wanted.problem.aggregation = limit;
          schedule::Plan plan = make_plan(wanted);
          const verify::Report report = certify(plan);
          EXPECT_TRUE(report.valid && report.claims_hold)
              << algorithm->name() << " " << order << " " << limit;
          EXPECT_EQ(report.rounds, algorithm->rounds(wanted.problem, wanted.parameters()));
          EXPECT_EQ(plan.schedule.round_kind == schedule::RoundKind::aggregated, limit > 1);
        }
      }
    }
  }
}

// Messages of up to K packets take no more rounds than single packets of a K-th of the parts.
TEST(Planner, serves_every_aggregation_limit) {
  unsigned trial = 0;
  for (const char* network : {"torus:3x4", "hexmesh:2"}) {
    for (const char* collective : {"broadcast", "reduce", "scatter", "gather", "allgather", "reduce-scatter",
                                   "allreduce", "alltoall", "barrier"}) {
      for (const char* ports : {"all", "2", "one", "half"}) {
        for (const auto& [parts, limit] : {std::pair(1U, 2U), std::pair(7U, 3U), std::pair(4U, 9U)}) {
          if (is_left_out(trial++, 5)) continue;
          Problem problem = problem_on(network, collective, ports);
          problem.task.parts = (parts - 1) / limit + 1;
          const std::uint64_t strict = make_plan(problem).schedule.round_count();
          problem.task.parts = parts;
          problem.aggregation = limit;
          schedule::Plan plan = make_plan(problem);
          const verify::Report report = certify(plan);
          EXPECT_EQ(fault_of(report), "") << network << " " << collective << " " << ports << " " << limit;
          EXPECT_LE(report.rounds, strict) << network << " " << collective << " " << ports << " " << limit;
        }
      }
    }
  }
}

TEST(Planner, takes_the_algorithm_with_the_fewest_rounds) {
  Wanted wanted = wanted_of("hypercube:6", "broadcast");
  EXPECT_EQ(choose(wanted).name(), "binomial-tree-broadcast");
  wanted.problem.task.parts = 100;
  EXPECT_EQ(choose(wanted).name(), "disjoint-trees-broadcast");
  wanted.problem.ports = schedule::PortModel::one();
  EXPECT_EQ(choose(wanted).name(), "capped-msbt-broadcast");

  wanted = wanted_of("hypercube:6", "scatter");
  EXPECT_EQ(choose(wanted).name(), "balanced-scatter");
  wanted.problem.aggregation = unbounded;
  EXPECT_EQ(choose(wanted).name(), "balanced-spanning-tree-level-scatter");
  wanted.problem.ports = schedule::PortModel::half();
  EXPECT_EQ(choose(wanted).name(), "binomial-tree-scatter");
}

// A network is what its ports are, not what it is called.
TEST(Planner, knows_a_hypercube_by_its_ports) {
  EXPECT_EQ(choose(wanted_of("cayley:2x2:0,1/1,0", "alltoall")).name(), "total-exchange");
  EXPECT_EQ(choose(wanted_of("torus:2x2x2", "alltoall")).name(), "isotropic-total-exchange");
}

class EveryNetwork : public testing::TestWithParam<const char*> {};

TEST_P(EveryNetwork, has_a_plan_for_every_collective) {
  const Network network = network::parse(GetParam());
  if (is_sanitized && (network.order() > 12 || network.degree() > 4))
    GTEST_SKIP() << "its searches take long under sanitizers";
  for (const char* collective :
       {"broadcast", "reduce", "scatter", "gather", "allgather", "reduce-scatter", "allreduce", "alltoall",
        "barrier", "neighborhood:1:2", "isotropic", "task"}) {
    for (const char* ports : {"all", "1", "one"}) {
      for (const std::uint32_t parts : {1u, 3u}) {
        Wanted wanted = wanted_of(GetParam(), collective, ports);
        wanted.problem.task.parts = parts;
        schedule::Plan plan = make_plan(wanted);
        const verify::Report report = certify(plan);
        EXPECT_TRUE(report.valid && report.claims_hold) << GetParam() << " " << collective << " " << ports;
        EXPECT_GE(report.rounds, report.bound.value) << GetParam() << " " << collective << " " << ports;
      }
    }
  }
}

TEST_P(EveryNetwork, is_served_optimally_by_one_part_over_all_ports) {
  for (const char* collective :
       {"alltoall", "allgather", "scatter", "gather", "reduce-scatter", "broadcast", "reduce"}) {
    schedule::Plan plan = make_plan(wanted_of(GetParam(), collective));
    EXPECT_TRUE(certify(plan).optimal) << GetParam() << " " << collective;
  }
}

INSTANTIATE_TEST_SUITE_P(Planner, EveryNetwork,
                         testing::Values("hypercube:5", "ring:7", "ring:8", "torus:3x4", "torus:4x6",
                                         "torus:3x3x4", "hexmesh:3", "hexmesh:5", "twisted-torus:2x2x4",
                                         "twisted-torus:4x8", "twisted-torus:8,0/3,8", "circulant:13:1,2",
                                         "circulant:13:1,5", "complete:6", "cayley:4x6:1,0/3,0/0,1/0,5"));

TEST_P(EveryNetwork, takes_orders_aggregation_and_half_duplex) {
  for (const char* collective : {"scatter", "gather"}) {
    Wanted wanted = wanted_of(GetParam(), collective, "half");
    schedule::Plan plan = make_plan(wanted);
    EXPECT_TRUE(certify(plan).claims_hold) << GetParam();
    wanted.problem.aggregation = 3;
    wanted.preferences.order = algorithm::parse_root_order("cyclic-postorder");
    plan = make_plan(wanted);
    EXPECT_TRUE(certify(plan).claims_hold) << GetParam();
    wanted = wanted_of(GetParam(), collective);
    wanted.problem.aggregation = unbounded;
    plan = make_plan(wanted);
    EXPECT_TRUE(certify(plan).optimal) << GetParam() << " takes " << plan.claims.rounds;
  }
}

// The objective delay keeps the rounds and never raises the delay; on a cube of prime dimension and a hexagonal mesh
// it reaches the least mean delay.
TEST_P(EveryNetwork, lowers_delays_within_the_same_rounds) {
  Wanted wanted = wanted_of(GetParam(), "alltoall");
  schedule::Plan plan = make_plan(wanted);
  const std::uint64_t rounds = certify(plan).rounds;
  wanted.preferences.objective = Objective::delay;
  plan = make_plan(wanted);
  const verify::Report report = certify(plan);
  EXPECT_TRUE(report.valid && report.claims_hold) << GetParam();
  EXPECT_EQ(report.rounds, rounds) << GetParam();
  const double least = bound::delay_bound(wanted.problem).mean;
  EXPECT_GE(report.mean_delay, least - 1e-9) << GetParam();
  if (std::string_view(GetParam()) == "hypercube:5" || std::string_view(GetParam()) == "hexmesh:5") {
    EXPECT_NEAR(report.mean_delay, least, 1e-9);
  }
}

// Varvarigos and Bertsekas 1992, Theorem 7, on a hypercube and on a mesh without edge transitivity.
TEST(Planner, serves_any_number_of_ports) {
  for (const std::uint64_t k : {1U, 2U, 3U, 4U}) {
    schedule::Plan plan = make_plan(wanted_of("hypercube:4", "alltoall", std::to_string(k)));
    EXPECT_TRUE(certify(plan).optimal) << k;
    EXPECT_EQ(plan.claims.rounds, (16 * 4 / 2 + k - 1) / k);
  }
}

// Listed packets alone tell the checker what an isotropic task is, and how good its plan.
TEST(Planner, bounds_listed_tasks) {
  Wanted halo = wanted_of("torus:5x5", "isotropic");
  halo.problem.task.destinations = {{1, 4}, {4, 4}, {5, 4}, {20, 4}};
  schedule::Plan plan = make_plan(halo);
  EXPECT_TRUE(certify(plan).optimal);
  EXPECT_EQ(plan.claims.rounds, 4u);

  Wanted uneven = wanted_of("ring:6", "task");
  uneven.problem.task.deliveries = {{0, 3, 5}, {2, 1, 1}};
  plan = make_plan(uneven);
  EXPECT_TRUE(certify(plan).claims_hold);
  EXPECT_EQ(plan.bound.kind, "distance");
  EXPECT_EQ(plan.bound.value, 5u);  // the third pair of packets leaves in round 3 and has 3 hops to go
  EXPECT_EQ(plan.claims.rounds, 5u);
}

TEST(Planner, says_what_would_work) {
  EXPECT_THAT(refusal_of(wanted_of("hypercube:13", "alltoall", "half")),
              HasSubstr("total-exchange (networks: hypercube"));
  EXPECT_THAT(refusal_of(wanted_of("hypercube:13", "alltoall", "half")), HasSubstr("ports half-duplex"));
  EXPECT_THAT(refusal_of(wanted_of("hypercube:4", "alltoall", "all", "total-exchnage")),
              HasSubstr("did you mean total-exchange"));
  EXPECT_THAT(refusal_of(wanted_of("hypercube:4", "scatter", "all", "total-exchange")),
              HasSubstr("plans alltoall, not scatter"));
  EXPECT_THAT(refusal_of(wanted_of("hypercube:4", "alltoall", "half", "total-exchange")),
              HasSubstr("cannot serve half-duplex"));
  Wanted nothing = wanted_of("hypercube:4", "isotropic");
  nothing.problem.task.destinations = {{3, 0}};
  EXPECT_THAT(refusal_of(nothing), HasSubstr("has no blocks"));
  nothing = wanted_of("hypercube:4", "task");
  nothing.problem.task.deliveries.clear();
  EXPECT_THAT(refusal_of(nothing), HasSubstr("has no blocks"));

  Wanted aggregated = wanted_of("hexmesh:3", "neighborhood:1:2");
  aggregated.problem.aggregation = unbounded;
  EXPECT_THAT(refusal_of(aggregated), HasSubstr("that aggregates packets"));
  aggregated = wanted_of("hypercube:4", "broadcast");
  aggregated.problem.aggregation = unbounded;
  aggregated.preferences.algorithm = "msbt-broadcast";
  EXPECT_THAT(refusal_of(aggregated), HasSubstr("it sends single packets and aggregates none"));
  EXPECT_THAT(refusal_of(wanted_of("hypercube:4", "scatter", "all", "binomial-tree-level-scatter")),
              HasSubstr("give --merge K or --merge all"));
  Wanted ordered = wanted_of("hypercube:4", "scatter", "all", "balanced-scatter");
  ordered.preferences.order = algorithm::RootOrder{};
  EXPECT_THAT(refusal_of(ordered), HasSubstr("it has no root order to choose"));
  EXPECT_THAT(refusal_of(wanted_of("torus:4x4", "alltoall", "all", "linear-exchange")),
              HasSubstr("it is chosen for a size on a machine"));
}

}  // namespace
}  // namespace isotrope::planner

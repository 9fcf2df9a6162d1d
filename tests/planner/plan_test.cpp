// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/plan.hpp"

#include <cctype>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/hypercube.hpp"
#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/delay_bound.hpp"

namespace isotrope::planner {
namespace {

using schedule::Node;
using testing::HasSubstr;

// A collective by the name that parse_task reads.
std::string name_of(const Algorithm& algorithm) {
  if (algorithm.collective == schedule::Collective::neighborhood) return "neighborhood:1:1";
  return to_string(schedule::Task{.collective = algorithm.collective});
}

Request request(std::string_view network_name, std::string_view collective, std::string_view ports = "all",
                std::string algorithm = "") {
  const Network network = network::parse(network_name);
  Request result{network, schedule::parse_task(collective, network),
                 schedule::parse_port_model(ports, network.degree()), std::move(algorithm)};
  const Node last = network.order() - 1;
  if (collective == "isotropic") result.destinations = {{last, 2}, {last / 2, 1}};
  if (collective == "task") result.deliveries = {{0, last, 2}, {last, last / 2, 1}, {last / 2, 0, 3}};
  return result;
}

std::string error_of(const Request& wanted) {
  try {
    make_plan(wanted);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Bertsekas et al. 1991, Table I: every claim of the paper, for d = 1..20.
TEST(Planner, plans_the_three_collectives_of_bertsekas_et_al_optimally) {
  for (int d = 1; d <= 20; ++d) {
    for (const char* collective : {"allgather", "scatter", "alltoall"}) {
      schedule::Plan plan = make_plan(request("hypercube:" + std::to_string(d), collective));
      EXPECT_FALSE(plan.claims.optimal) << "nothing is claimed before it is verified";
      const verify::Report report = certify(plan);
      EXPECT_TRUE(report.valid && report.optimal && report.claims_hold && plan.claims.optimal)
          << d << " " << collective;
      EXPECT_EQ(report.transmissions, least_transmissions(plan.network, plan.task));
    }
  }
}

// Every algorithm under every port model it takes: valid, in the rounds that the catalogue foretells.
TEST(Planner, keeps_what_every_algorithm_of_the_catalogue_claims) {
  std::vector<Network> networks{network::parse("hexmesh:2"), network::parse("hexmesh:4")};
  for (std::uint32_t d = 1; d <= 7; ++d) networks.push_back(network::hypercube(d));
  for (const Algorithm& algorithm : catalog()) {
    const std::string collective = name_of(algorithm);
    int served = 0;
    for (const Network& network : networks) {
      for (const char* ports : {"all", "1", "2", "3", "one", "half"}) {
        if (std::isdigit(ports[0]) && static_cast<schedule::Port>(ports[0] - '0') > network.degree())
          continue;
        Request wanted = request(network.name(), collective, ports, std::string(algorithm.name));
        wanted.merge = algorithm.only_merges ? unbounded : 1;
        wanted.objective = algorithm.least_delay ? Objective::delay : Objective::completion;
        if (obstacle(algorithm, wanted)) continue;
        for (std::uint32_t parts : {1u, 3u, 8u}) {
          wanted.task.parts = parts;
          schedule::Plan plan = make_plan(wanted);
          const verify::Report report = certify(plan);
          EXPECT_TRUE(report.valid && report.claims_hold)
              << algorithm.name << " " << network.name() << " " << ports << " " << parts;
          EXPECT_EQ(report.rounds, algorithm.rounds(wanted))
              << algorithm.name << " " << network.name() << " " << ports << " " << parts;
          ++served;
        }
      }
    }
    if (!algorithm.survives) {  // those have their own tests, where something has failed
      EXPECT_GT(served, 0) << algorithm.name;
    }
  }
}

// Scatter and gather along trees, in every order and with every size of messages.
TEST(Planner, keeps_orders_and_merges) {
  for (const Algorithm& algorithm : catalog()) {
    if (!algorithm.takes_order) continue;
    const std::string collective = name_of(algorithm);
    for (const char* order : {"descending", "reverse-breadth-first", "postorder", "preorder", "cyclic",
                              "cyclic-descending", "cyclic-postorder", "cyclic-preorder"}) {
      for (const char* ports : {"all", "2", "one", "half"}) {
        for (const std::uint64_t merge : {std::uint64_t{1}, std::uint64_t{3}, unbounded}) {
          Request wanted = request("hypercube:5", collective, ports, std::string(algorithm.name));
          wanted.order = algorithm::parse_root_order(order);
          wanted.merge = merge;
          schedule::Plan plan = make_plan(wanted);
          const verify::Report report = certify(plan);
          EXPECT_TRUE(report.valid && report.claims_hold) << algorithm.name << " " << order << " " << merge;
          EXPECT_EQ(report.rounds, algorithm.rounds(wanted));
          EXPECT_EQ(plan.schedule.round_kind == schedule::RoundKind::combining, merge > 1);
        }
      }
    }
  }
}

TEST(Planner, takes_the_algorithm_with_the_fewest_rounds) {
  Request wanted = request("hypercube:6", "broadcast");
  EXPECT_EQ(choose(wanted).name, "binomial-tree-broadcast");
  wanted.task.parts = 100;
  EXPECT_EQ(choose(wanted).name, "msbt-broadcast");
  wanted.ports = schedule::PortModel::one();
  EXPECT_EQ(choose(wanted).name, "capped-msbt-broadcast");

  wanted = request("hypercube:6", "scatter");
  EXPECT_EQ(choose(wanted).name, "balanced-scatter");
  wanted.merge = unbounded;
  EXPECT_EQ(choose(wanted).name, "balanced-spanning-tree-level-scatter");
  wanted.ports = schedule::PortModel::half();
  EXPECT_EQ(choose(wanted).name, "binomial-tree-scatter");
}

// A network is what its ports are, not what it is called.
TEST(Planner, knows_a_hypercube_by_its_ports) {
  EXPECT_EQ(choose(request("cayley:2x2:0,1/1,0", "alltoall")).name, "total-exchange");
  EXPECT_EQ(choose(request("torus:2x2x2", "alltoall")).name, "isotropic-total-exchange");
}

class EveryNetwork : public testing::TestWithParam<const char*> {};

TEST_P(EveryNetwork, has_a_plan_for_every_collective) {
  for (const char* collective :
       {"broadcast", "reduce", "scatter", "gather", "allgather", "reduce-scatter", "allreduce", "alltoall",
        "barrier", "neighborhood:1:2", "isotropic", "task"}) {
    for (const char* ports : {"all", "1", "one"}) {
      for (const std::uint32_t parts : {1u, 3u}) {
        Request wanted = request(GetParam(), collective, ports);
        wanted.task.parts = parts;
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
    schedule::Plan plan = make_plan(request(GetParam(), collective));
    EXPECT_TRUE(certify(plan).optimal) << GetParam() << " " << collective;
  }
}

INSTANTIATE_TEST_SUITE_P(Planner, EveryNetwork,
                         testing::Values("hypercube:5", "ring:7", "ring:8", "torus:3x4", "torus:4x6",
                                         "torus:3x3x4", "hexmesh:3", "hexmesh:5", "twisted-torus:2x2x4",
                                         "twisted-torus:4x8", "twisted-torus:8,0/3,8", "circulant:13:1,2",
                                         "circulant:13:1,5", "complete:6", "cayley:4x6:1,0/3,0/0,1/0,5"));

TEST_P(EveryNetwork, takes_orders_merging_and_half_duplex) {
  for (const char* collective : {"scatter", "gather"}) {
    Request wanted = request(GetParam(), collective, "half");
    schedule::Plan plan = make_plan(wanted);
    EXPECT_TRUE(certify(plan).claims_hold) << GetParam();
    wanted.merge = 3;
    wanted.order = algorithm::parse_root_order("cyclic-postorder");
    plan = make_plan(wanted);
    EXPECT_TRUE(certify(plan).claims_hold) << GetParam();
    wanted = request(GetParam(), collective);
    wanted.merge = unbounded;
    plan = make_plan(wanted);
    EXPECT_TRUE(certify(plan).optimal) << GetParam() << " takes " << plan.claims.rounds;
  }
}

// The objective delay keeps the rounds and never raises the delay; on a cube of prime dimension and a hexagonal mesh
// it reaches the least mean delay.
TEST_P(EveryNetwork, lowers_delays_within_the_same_rounds) {
  Request wanted = request(GetParam(), "alltoall");
  schedule::Plan plan = make_plan(wanted);
  const std::uint64_t rounds = certify(plan).rounds;
  wanted.objective = Objective::delay;
  plan = make_plan(wanted);
  const verify::Report report = certify(plan);
  EXPECT_TRUE(report.valid && report.claims_hold) << GetParam();
  EXPECT_EQ(report.rounds, rounds) << GetParam();
  const double least = delay_bound(wanted.network, wanted.task, wanted.ports).mean;
  EXPECT_GE(report.mean_delay, least - 1e-9) << GetParam();
  if (std::string_view(GetParam()) == "hypercube:5" || std::string_view(GetParam()) == "hexmesh:5") {
    EXPECT_NEAR(report.mean_delay, least, 1e-9);
  }
}

// Varvarigos and Bertsekas 1992, Theorem 7, on a hypercube and on a mesh without edge transitivity.
TEST(Planner, serves_any_number_of_ports) {
  for (const std::uint64_t k : {1U, 2U, 3U, 4U}) {
    schedule::Plan plan = make_plan(request("hypercube:4", "alltoall", std::to_string(k)));
    EXPECT_TRUE(certify(plan).optimal) << k;
    EXPECT_EQ(plan.claims.rounds, (16 * 4 / 2 + k - 1) / k);
  }
}

// Listed packets alone tell the checker what an isotropic task is, and how good its plan.
TEST(Planner, bounds_listed_tasks) {
  Request halo = request("torus:5x5", "isotropic");
  halo.destinations = {{1, 4}, {4, 4}, {5, 4}, {20, 4}};
  schedule::Plan plan = make_plan(halo);
  EXPECT_TRUE(certify(plan).optimal);
  EXPECT_EQ(plan.claims.rounds, 4u);

  Request uneven = request("ring:6", "task");
  uneven.deliveries = {{0, 3, 5}, {2, 1, 1}};
  plan = make_plan(uneven);
  EXPECT_TRUE(certify(plan).claims_hold);
  EXPECT_EQ(plan.bound.kind, "distance");
  EXPECT_EQ(plan.bound.value, 5u);  // the third pair of packets leaves in round 3 and has 3 hops to go
  EXPECT_EQ(plan.claims.rounds, 5u);
}

TEST(Planner, says_what_would_work) {
  EXPECT_THAT(error_of(request("torus:4x4", "alltoall", "half")),
              HasSubstr("total-exchange (networks: hypercube"));
  EXPECT_THAT(error_of(request("hypercube:4", "alltoall", "half")), HasSubstr("ports half-duplex"));
  EXPECT_THAT(error_of(request("hypercube:4", "alltoall", "all", "total-exchnage")),
              HasSubstr("did you mean total-exchange"));
  EXPECT_THAT(error_of(request("hypercube:4", "scatter", "all", "total-exchange")),
              HasSubstr("plans alltoall, not scatter"));
  EXPECT_THAT(error_of(request("hypercube:4", "alltoall", "half", "total-exchange")),
              HasSubstr("cannot serve half-duplex"));
  Request nothing = request("hypercube:4", "isotropic");
  nothing.destinations = {{3, 0}};
  EXPECT_THAT(error_of(nothing), HasSubstr("has no blocks"));
  nothing = request("hypercube:4", "task");
  nothing.deliveries.clear();
  EXPECT_THAT(error_of(nothing), HasSubstr("has no blocks"));

  Request merged = request("hypercube:4", "broadcast");
  merged.merge = 2;
  EXPECT_THAT(error_of(merged), HasSubstr("that merges packets"));
  merged.algorithm = "msbt-broadcast";
  EXPECT_THAT(error_of(merged), HasSubstr("it sends single packets and merges none"));
  EXPECT_THAT(error_of(request("hypercube:4", "scatter", "all", "binomial-tree-level-scatter")),
              HasSubstr("give --merge K or --merge all"));
  Request ordered = request("hypercube:4", "scatter", "all", "balanced-scatter");
  ordered.order = algorithm::RootOrder{};
  EXPECT_THAT(error_of(ordered), HasSubstr("it has no root order to choose"));
}

}  // namespace
}  // namespace isotrope::planner

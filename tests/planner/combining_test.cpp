// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Merged messages on every network, for every collective that has blocks of its own.
#include <array>
#include <numeric>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/bandwidth_bound.hpp"

#include "isotrope/planner/plan.hpp"
#include "isotrope/planner/sources.hpp"

namespace isotrope::planner {
namespace {

using testing::HasSubstr;

constexpr std::array collectives{"scatter", "gather", "allgather", "reduce-scatter", "allreduce", "alltoall"};

Request merging_request(std::string_view network_name, std::string_view collective,
                        std::string_view ports = "all", std::string algorithm = "") {
  const Network network = network::parse(network_name);
  Request result{network, schedule::parse_task(collective, network),
                 schedule::parse_port_model(ports, network.degree()), std::move(algorithm)};
  result.merge = unbounded;
  return result;
}

std::string refusal_of(const Request& request) {
  try {
    make_plan(request);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::uint64_t total_load(const verify::Report& report) {
  return std::accumulate(report.link_load.begin(), report.link_load.end(), std::uint64_t{0});
}

class EveryNetworkMerging : public testing::TestWithParam<const char*> {};

// With any ports but half duplex there is a plan; over all ports in as few rounds as the diameter, or for
// allreduce twice that, and with as many parts as ports no schedule has less to carry.
TEST_P(EveryNetworkMerging, serves_every_collective) {
  for (const char* collective : collectives) {
    for (const char* ports : {"all", "2", "one"}) {
      Request wanted = merging_request(GetParam(), collective, ports);
      const bool all = std::string_view(ports) == "all";
      const bool twice = std::string_view(collective) == "allreduce";
      for (const std::uint32_t parts : {1U, wanted.network.degree()}) {
        wanted.task.parts = parts;
        const Algorithm& algorithm = choose(wanted);
        schedule::Plan plan = make_plan(wanted, algorithm);
        const verify::Report report = certify(plan);
        EXPECT_TRUE(report.valid && report.claims_hold) << GetParam() << " " << collective << " " << ports;
        EXPECT_EQ(report.rounds, algorithm.rounds(wanted)) << algorithm.name;
        EXPECT_EQ(plan.schedule.round_kind, schedule::RoundKind::combining);
        if (!all) continue;
        EXPECT_EQ(report.rounds, (twice ? 2 : 1) * wanted.network.diameter()) << algorithm.name;
        if (parts > 1 && algorithm.splits) {
          EXPECT_EQ(total_load(report), bandwidth_bound(plan)->value) << GetParam() << " " << algorithm.name;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Combining, EveryNetworkMerging,
                         testing::Values("hypercube:5", "ring:7", "ring:8", "torus:3x4", "torus:4x6",
                                         "torus:3x3x4", "hexmesh:3", "hexmesh:5", "twisted-torus:2x2x4",
                                         "twisted-torus:4x8", "circulant:13:1,5", "complete:6",
                                         "cayley:4x6:1,0/3,0/0,1/0,5"));

// Every entry under every port model it takes, in the rounds that it foretells.
TEST(Combining, keeps_what_its_entries_foretell) {
  for (const Algorithm& algorithm : combining()) {
    for (const char* name : {"torus:4x4", "torus:2x3x5", "hypercube:4", "hexmesh:3", "circulant:20:1,6"}) {
      for (const char* ports : {"all", "1", "3", "one"}) {
        Request wanted = merging_request(name, to_string(schedule::Task{.collective = algorithm.collective}),
                                         ports, std::string(algorithm.name));
        if (obstacle(algorithm, wanted)) continue;
        wanted.task.parts = 3;
        schedule::Plan plan = make_plan(wanted);
        const verify::Report report = certify(plan);
        EXPECT_TRUE(report.valid && report.claims_hold) << algorithm.name << " " << name << " " << ports;
        EXPECT_EQ(report.rounds, algorithm.rounds(wanted)) << algorithm.name << " " << name << " " << ports;
      }
    }
  }
}

TEST(Combining, takes_a_root) {
  Request wanted = merging_request("torus:3x5", "gather");
  wanted.task.root = 7;
  for (const char* name : {"layer-by-layer-gather", "axis-by-axis-gather"}) {
    wanted.algorithm = name;
    schedule::Plan plan = make_plan(wanted);
    EXPECT_TRUE(certify(plan).optimal) << name;
  }
}

TEST(Combining, chooses_fewest_rounds) {
  EXPECT_EQ(choose(merging_request("hypercube:6", "allgather")).name, "layer-by-layer-allgather");
  EXPECT_EQ(choose(merging_request("torus:4x4", "scatter")).name, "layer-by-layer-scatter");
  EXPECT_EQ(choose(merging_request("hypercube:6", "allgather", "one")).name, "axis-by-axis-allgather");
  EXPECT_EQ(choose(merging_request("torus:4x4", "alltoall", "2")).name, "axis-by-axis-exchange");
  EXPECT_EQ(choose(merging_request("hexmesh:3", "alltoall", "one")).name, "equitable-exchange");
}

TEST(Combining, refuses_what_it_cannot_do) {
  Request some = merging_request("hexmesh:3", "alltoall", "all", "equitable-exchange");
  some.merge = 4;
  EXPECT_THAT(refusal_of(some), HasSubstr("give --merge all"));
  EXPECT_THAT(refusal_of(merging_request("hexmesh:3", "allgather", "half", "layer-by-layer-allgather")),
              HasSubstr("cannot serve half-duplex"));
  EXPECT_THAT(refusal_of(merging_request("hexmesh:3", "allgather", "all", "axis-by-axis-allgather")),
              HasSubstr("hexmesh:3 is no torus"));
  some.merge = 1;
  EXPECT_THAT(refusal_of(some), HasSubstr("give --merge K or --merge all"));
}

}  // namespace
}  // namespace isotrope::planner

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The programs of the ranks, for every plan that the catalogue makes.
#include <string>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/rank/program.hpp"

#include "isotrope/planner/plan.hpp"

#include "tests/rank/emulation.hpp"

namespace isotrope::planner {
namespace {

using schedule::Collective;

std::vector<Request> requests(const std::string& network, const Algorithm& algorithm) {
  std::vector<Request> result;
  for (const schedule::PortModel ports : {schedule::PortModel::all(), schedule::PortModel::one()}) {
    for (const std::uint64_t merge : {std::uint64_t{1}, unbounded}) {
      for (const std::uint32_t parts : {1U, 3U}) {
        Request request{
            .network = network::parse(network),
            .task = {.collective = algorithm.collective, .parts = parts, .nearest = 1, .farthest = 2},
            .ports = ports,
            .algorithm = std::string(algorithm.name),
            .merge = merge,
            .destinations = {{1, 2}, {2, 1}},
            .deliveries = {{0, 1, 1}, {2, 0, 2}}};
        if (is_rooted(algorithm.collective)) request.task.root = request.network.order() - 1;
        if (algorithm.collective != Collective::neighborhood)
          request.task.nearest = request.task.farthest = 0;
        if (!obstacle(algorithm, request)) result.push_back(std::move(request));
      }
    }
  }
  return result;
}

class RankPrograms : public testing::TestWithParam<const char*> {};

TEST_P(RankPrograms, deliver_for_every_algorithm) {
  int plans = 0;
  for (const Algorithm& algorithm : catalog()) {
    for (const Request& request : requests(GetParam(), algorithm)) {
      const schedule::Plan plan = make_plan(request);
      EXPECT_EQ(rank::emulate(plan, 7), "") << algorithm.name << ", " << request.task.parts << " parts";
      ++plans;
    }
  }
  EXPECT_GE(plans, 50);
}

// Transit takes no more than another N blocks.
TEST_P(RankPrograms, pass_on_few_blocks_at_a_time) {
  for (const Algorithm& algorithm : catalog()) {
    if (algorithm.collective != Collective::alltoall) continue;
    for (const Request& request : requests(GetParam(), algorithm)) {
      const rank::Program program = rank::compile(make_plan(request), 1);
      EXPECT_LE(program.transit_units, request.network.order() * request.task.parts) << algorithm.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Planner, RankPrograms,
                         testing::Values("hypercube:3", "torus:4x3", "hexmesh:2", "ring:5",
                                         "circulant:8:1,3"));

}  // namespace
}  // namespace isotrope::planner

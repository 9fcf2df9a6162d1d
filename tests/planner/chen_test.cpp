// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The catalogue's algorithms for hexagonal meshes.
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/local/run.hpp"

#include "isotrope/planner/plan.hpp"

#include "tests/planner/wanted.hpp"

namespace isotrope::planner {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Wanted wanted(std::string_view network, std::string_view collective, std::string_view ports,
              std::string algorithm, std::uint32_t parts = 1) {
  Wanted result = wanted_on(network, collective, ports, std::move(algorithm));
  result.problem.task.parts = parts;
  return result;
}

// Valid from every kind of root, in the rounds that the catalogue foretells, on real buffers too.
std::uint64_t checked_rounds(Wanted asked) {
  Problem& problem = asked.problem;
  const std::string& name = asked.preferences.algorithm;
  if (schedule::is_rooted(problem.task.collective)) problem.task.root = problem.network.order() - 2;
  schedule::Plan plan = make_plan(asked);
  const verify::Report report = certify(plan);
  EXPECT_TRUE(report.valid && report.claims_hold) << problem.network.name() << " " << name;
  EXPECT_EQ(report.rounds, choose(asked).rounds(problem, {}));
  EXPECT_TRUE(local::run(plan, {.block_bytes = 67, .threads = 2}).correct) << name;
  return report.rounds;
}

TEST(HexagonalMeshes, are_served_in_the_rounds_of_the_paper) {
  for (std::uint32_t n = 2; n <= 8; ++n) {
    const std::string mesh = "hexmesh:" + std::to_string(n);
    for (const std::uint32_t p : {1u, 3u}) {
      for (const char* collective : {"broadcast", "reduce"}) {
        const std::string name = std::string("hexmesh-") + collective;
        EXPECT_EQ(checked_rounds(wanted(mesh, collective, "one", name, p)),
                  n == 2 ? 3 * p : n + 2 + 4 * (p - 1));
        EXPECT_EQ(checked_rounds(wanted(mesh, collective, "all", name, p)), n + p - 1);
        EXPECT_GE(checked_rounds(wanted(mesh, collective, "2", name, p)), n + p - 1);
        EXPECT_EQ(checked_rounds(wanted(mesh, collective, "half", name, p)),
                  n == 2 ? 3 * p : n + 2 + 5 * (p - 1));
      }
      EXPECT_EQ(checked_rounds(wanted(mesh, "broadcast", "one", "hexmesh-broadcast-as-printed", p)),
                (n + 3) * p);
    }
  }
}

// The planner never chooses the paper's slips by itself.
TEST(HexagonalMeshes, are_not_served_as_printed_unless_named) {
  for (std::uint32_t n = 2; n <= 8; ++n) {
    const Wanted any = wanted("hexmesh:" + std::to_string(n), "broadcast", "one", "");
    EXPECT_NE(choose(any).name(), "hexmesh-broadcast-as-printed");
    EXPECT_LE(choose(any).rounds(any.problem, {}), n == 2 ? 3 : n + 2);
  }
}

// Section IV-C: 2n + 1 mixes port models. With all ports both ways 2n - 2, with one port 2n + 4 (n = 2: 6).
TEST(HexagonalMeshes, sum_globally_in_the_rounds_of_each_port_model) {
  for (std::uint32_t n = 2; n <= 9; ++n) {
    const std::string mesh = "hexmesh:" + std::to_string(n);
    const std::pair<const char*, std::uint64_t> rounds[] = {
        {"all", 2 * n - 2}, {"one", n == 2 ? 6 : 2 * n + 4}, {"half", n == 2 ? 6 : 2 * n + 4}};
    for (const auto& [ports, expected] : rounds) {
      const Wanted sum = wanted(mesh, "global-sum", ports, "hexmesh-global-sum");
      schedule::Plan plan = make_plan(sum);
      const verify::Report report = certify(plan);
      EXPECT_TRUE(report.valid && report.claims_hold) << mesh << ' ' << ports;
      EXPECT_EQ(report.rounds, expected) << mesh << ' ' << ports;
      for (const local::Operation operation : {local::Operation::sum, local::Operation::max}) {
        const local::RunResult result = local::run(
            plan, {.block_bytes = 64, .reduction = {local::Type::float64, operation}, .threads = 2});
        EXPECT_TRUE(result.correct) << result.first_error;
      }
    }
    EXPECT_EQ(checked_rounds(wanted(mesh, "global-sum", "all", "hexmesh-global-sum-as-printed")),
              n == 2 ? 4 : 2 * n + 1);
    EXPECT_EQ(checked_rounds(wanted(mesh, "global-sum", "all", "hexmesh-global-sum", 5)), 2 * (n + 3));
  }
}

TEST(HexagonalMeshes, are_known_by_their_generators) {
  EXPECT_EQ(choose(wanted("cayley:19:1/18/12/7/11/8", "broadcast", "one", "hexmesh-broadcast")).name(),
            "hexmesh-broadcast");
  EXPECT_THAT([] { choose(wanted("circulant:19:1,7,8", "broadcast", "one", "hexmesh-broadcast")); },
              ThrowsMessage<Error>(HasSubstr("it needs a hexagonal mesh, not circulant:19:1,7,8")));
  EXPECT_THAT([] { choose(wanted("hypercube:6", "reduce", "one", "hexmesh-reduce")); },
              ThrowsMessage<Error>(HasSubstr("it needs a hexagonal mesh, not hypercube:6")));
  EXPECT_THAT([] { choose(wanted("hexmesh:4", "broadcast", "all", "hexmesh-broadcast-as-printed")); },
              ThrowsMessage<Error>(
                  HasSubstr("it sends over one port and receives over one, and all-port was given")));
}

}  // namespace
}  // namespace isotrope::planner

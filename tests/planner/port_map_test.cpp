// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Every plan of the map in up to 4 parts, verified and run on real buffers with every byte checked.
#include "isotrope/planner/port_map.hpp"

#include <algorithm>
#include <cctype>
#include <string>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/local/run.hpp"

#include "tests/sanitizers.hpp"

namespace isotrope::planner {
namespace {

class PortMap : public testing::TestWithParam<const char*> {};

TEST_P(PortMap, is_planned_and_runs) {
  if (is_sanitized) GTEST_SKIP() << "its searches take long under sanitizers";
  for (const Problem& problem : port_map(network::parse(GetParam()))) {
    if (problem.task.parts > 4) continue;
    const std::string what = to_string(problem.task) + ", " + to_string(problem.ports) +
                             (problem.aggregated() ? ", aggregated" : "");
    const MapCell cell = planned_cell(problem);
    ASSERT_TRUE(cell.plan) << what << ": " << cell.refusal;
    EXPECT_GE(cell.rounds, cell.bound) << what;
    EXPECT_LE(cell.rounds, cell.bound + cell.bound / 2 + 3) << what;
    const local::RunResult result = local::run(*cell.plan, {.block_bytes = 67, .threads = 2});
    EXPECT_TRUE(result.correct) << what << ": " << result.first_error;
  }
}

std::string name_of(const testing::TestParamInfo<const char*>& network) {
  std::string result = network.param;
  std::ranges::replace_if(
      result, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return result;
}

INSTANTIATE_TEST_SUITE_P(Networks, PortMap, testing::ValuesIn(map_networks), name_of);

}  // namespace
}  // namespace isotrope::planner

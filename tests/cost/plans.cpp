// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/cost/plans.hpp"

#include <utility>

#include <gtest/gtest.h>

#include "isotrope/verify/verify.hpp"

namespace isotrope::cost {

schedule::Plan checked_plan(const schedule::Network& network, std::string_view collective,
                            schedule::Node root, std::uint32_t parts, schedule::Schedule schedule) {
  schedule::Plan plan{
      network, {}, schedule::parse_task(collective, network, root, parts), std::move(schedule), {}, {}};
  const verify::Report report = verify::verify(plan);
  EXPECT_TRUE(report.valid) << report.violations[0].message;
  return plan;
}

schedule::Schedule schedule_of(schedule::PortModel ports, schedule::Flow flow,
                               const std::vector<std::vector<schedule::Hop>>& rounds,
                               schedule::RoundKind kind) {
  schedule::Stage stage{flow, schedule::Replication::none(), {}, {}};
  for (const auto& round : rounds) {
    for (const schedule::Hop& hop : round) stage.rounds.add(hop);
    stage.rounds.close_round();
  }
  return {ports, kind, {std::move(stage)}};
}

}  // namespace isotrope::cost

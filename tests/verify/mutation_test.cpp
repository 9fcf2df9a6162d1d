// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Valid plans damaged at random: the checker must say of each what the definition says.
#include <random>

#include <gtest/gtest.h>

#include "isotrope/verify/verify.hpp"

#include "tests/sanitizers.hpp"
#include "tests/verify/reference_checker.hpp"
#include "tests/verify/sample_plans.hpp"

namespace isotrope::verify {
namespace {

using schedule::Hop;
using schedule::PortModel;
using schedule::Replication;
using schedule::Stage;

class Damage {
 public:
  explicit Damage(std::uint32_t seed) : random_(seed) {}

  schedule::Plan apply(schedule::Plan plan) {
    Stage& stage = plan.schedule.stages[below(plan.schedule.stages.size())];
    if (stage.rounds.hop_count() > 0 && below(10) < 8) {
      damage_hops(plan, stage);
    } else {
      damage_frame(plan, stage);
    }
    return plan;
  }

 private:
  std::size_t below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_);
  }
  std::uint32_t number_below(std::uint64_t limit) { return static_cast<std::uint32_t>(below(limit)); }

  using Grid = std::vector<std::vector<Hop>>;

  void damage_hops(const schedule::Plan& plan, Stage& stage) {
    Grid grid;
    for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
      grid.emplace_back(stage.rounds.round(t).begin(), stage.rounds.round(t).end());
    }
    std::size_t t = below(grid.size());
    while (grid[t].empty()) t = below(grid.size());
    const std::size_t i = below(grid[t].size());
    Hop& hop = grid[t][i];
    switch (below(9)) {
      case 0:
        grid[t].erase(grid[t].begin() + static_cast<std::ptrdiff_t>(i));
        break;
      case 1:
        grid[below(grid.size())].push_back(hop);
        break;
      case 2:
        hop.port = number_below(plan.network.degree() + 1);
        break;
      case 3:
        hop.from = number_below(plan.network.order() + 1);
        break;
      case 4:
        ++hop.packet;
        break;
      case 5:
        std::swap(grid[t], grid[below(grid.size())]);
        break;
      case 6: {
        const Hop moved = hop;
        grid[t].erase(grid[t].begin() + static_cast<std::ptrdiff_t>(i));
        grid[below(grid.size())].push_back(moved);
        break;
      }
      case 7: {
        const std::size_t u = below(grid.size());
        if (!grid[u].empty()) std::swap(hop, grid[u][below(grid[u].size())]);
        break;
      }
      default: {
        const std::size_t u = below(grid.size());
        if (!grid[u].empty()) std::swap(hop.packet, grid[u][below(grid[u].size())].packet);
      }
    }
    stage.rounds = {};
    for (const auto& round : grid) {
      for (const Hop& each : round) stage.rounds.add(each);
      stage.rounds.close_round();
    }
  }

  void damage_frame(schedule::Plan& plan, Stage& stage) {
    switch (below(7)) {
      case 0:
        plan.schedule.ports = PortModel::one();
        break;
      case 1:
        plan.schedule.ports = PortModel::half();
        break;
      case 2:
        plan.schedule.round_kind = schedule::RoundKind::strict;
        break;
      case 3:
        stage.flow = static_cast<schedule::Flow>(below(3));
        break;
      case 4:
        stage.replication = {static_cast<Replication::Kind>(below(3)), number_below(4)};
        break;
      case 5:
        plan.failed.nodes.push_back(number_below(plan.network.order()));
        break;
      default:
        damage_packets(plan, stage);
    }
  }

  void damage_packets(schedule::Plan& plan, Stage& stage) {
    if (stage.packets.empty()) {
      plan.task.root = number_below(plan.network.order());
      return;
    }
    schedule::Packet& packet = stage.packets[below(stage.packets.size())];
    switch (below(4)) {
      case 0:
        stage.packets.pop_back();
        break;
      case 1:
        packet.to = number_below(plan.network.order());
        break;
      case 2:
        packet.origin = number_below(plan.network.order());
        break;
      default:
        packet = stage.packets[below(stage.packets.size())];
    }
  }

  std::mt19937 random_;
};

class Mutation : public testing::TestWithParam<std::string_view> {};

TEST_P(Mutation, is_judged_as_the_definition_judges_it) {
  constexpr unsigned damages_a_plan = unless_sanitized(60, 9);
  Damage damage(20261);
  int rejected = 0, tried = 0;
  for (const schedule::Plan& plan : sample_plans(GetParam())) {
    ASSERT_TRUE(verify(plan).claims_hold)
        << to_string(plan.task) << " " << verify(plan).violations[0].message;
    ASSERT_TRUE(valid_by_definition(plan)) << to_string(plan.task);
    for (unsigned i = 0; i < damages_a_plan; ++i) {
      schedule::Plan damaged = damage.apply(plan);
      if (i % 3 == 0) damaged = damage.apply(std::move(damaged));
      const Report report = verify(damaged);
      ASSERT_EQ(report.valid, valid_by_definition(damaged))
          << to_string(plan.task) << " " << i << ": "
          << (report.violations.empty() ? "no violation" : report.violations[0].message);
      EXPECT_EQ(report.valid, report.violation_count == 0 || report.violations[0].rule == Rule::claim);
      rejected += report.valid ? 0 : 1;
      ++tried;
    }
  }
  EXPECT_GT(rejected, tried / 2);
}

INSTANTIATE_TEST_SUITE_P(Networks, Mutation, testing::ValuesIn(sample_networks()),
                         [](const auto& network) { return "network_" + std::to_string(network.index); });

}  // namespace
}  // namespace isotrope::verify

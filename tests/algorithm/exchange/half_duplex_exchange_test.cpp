// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/half_duplex_exchange.hpp"

#include <random>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/link_load.hpp"
#include "isotrope/schedule/plan.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/algorithm/exchange/isotropic_exchange.hpp"
#include "isotrope/verify/verify.hpp"

namespace isotrope::algorithm {
namespace {

using schedule::Collective;
using schedule::PortModel;
using schedule::RelativeDestination;
using schedule::Task;

constexpr const char* networks[] = {"ring:1",    "ring:2",     "ring:5",           "ring:8",
                                    "torus:3x4", "torus:5x5",  "torus:2x3x3",      "hypercube:4",
                                    "hexmesh:3", "complete:7", "circulant:13:1,5", "twisted-torus:2x4"};

std::vector<RelativeDestination> destinations_of(const network::Network& network, const Task& task) {
  return task.collective == Collective::isotropic ? task.destinations : relative_destinations(network, task);
}

// The plan of the exchange over half duplex, which the checker finds right.
schedule::Plan checked_plan(const std::string& name, const Task& task) {
  const network::Network network = network::parse(name);
  const SearchLimits limits{.runs = 20, .links = 1 << 16};
  schedule::Plan plan{network, {}, task, {}, {}, {}};
  plan.schedule = half_duplex_exchange(network, task, destinations_of(network, task), limits);
  plan.claims = {plan.schedule.round_count(), plan.schedule.hop_count(), false,
                 link_loads(network, plan.schedule)};
  const verify::Report report = verify::verify(plan);
  EXPECT_TRUE(report.valid) << name << ", " << to_string(task) << ": "
                            << (report.valid ? "" : report.violations.front().message);
  return plan;
}

std::uint64_t bound_of(const schedule::Plan& plan) {
  const auto bounds =
      bound::lower_bounds({.network = plan.network, .task = plan.task, .ports = PortModel::half()});
  return bounds.empty() ? 0 : bounds.front().value;
}

TEST(HalfDuplexExchange, is_near_the_bound_on_every_network) {
  for (const char* name : networks) {
    for (const std::uint32_t parts : {1U, 2U, 3U}) {
      const auto plan = checked_plan(name, {.collective = Collective::alltoall, .parts = parts});
      EXPECT_LE(plan.claims.rounds, bound_of(plan) + bound_of(plan) / 20 + 1) << name << " x " << parts;
    }
  }
}

TEST(HalfDuplexExchange, is_at_the_bound_if_all_cycles_are_even) {
  for (const char* name :
       {"ring:8", "hypercube:3", "hypercube:6", "torus:4x4", "torus:4x6x8", "complete:8"}) {
    const auto plan = checked_plan(name, {.collective = Collective::alltoall, .parts = 2});
    EXPECT_EQ(plan.claims.rounds, bound_of(plan)) << name;
  }
}

TEST(HalfDuplexExchange, serves_neighbourhoods) {
  for (const char* name : networks) {
    const std::uint32_t diameter = network::parse(name).diameter();
    for (std::uint32_t nearest = 1; nearest <= diameter; ++nearest) {
      checked_plan(
          name,
          {.collective = Collective::neighborhood, .parts = 2, .nearest = nearest, .farthest = diameter});
    }
  }
}

TEST(HalfDuplexExchange, serves_any_isotropic_task) {
  std::mt19937 random(7);
  for (const char* name : networks) {
    const std::uint32_t order = network::parse(name).order();
    for (int i = 0; i < 10; ++i) {
      Task task{.collective = Collective::isotropic, .parts = 1 + static_cast<std::uint32_t>(random() % 3)};
      for (int j = 0; j < 4; ++j)
        task.destinations.push_back(
            {static_cast<network::Node>(random() % order), 1 + static_cast<std::uint32_t>(random() % 3)});
      checked_plan(name, task);
    }
  }
}

TEST(HalfDuplexExchange, splits_rounds_of_even_cycles_only) {
  const Task task{.collective = Collective::alltoall};
  const auto split_on = [&](const char* name) {
    const network::Network network = network::parse(name);
    return split_rounds(network, task, IsotropicExchange(network, task, PortModel::one()).schedule());
  };
  EXPECT_EQ(split_on("ring:8")->round_count(), 32U);
  EXPECT_EQ(split_on("ring:9"), std::nullopt);
}

}  // namespace
}  // namespace isotrope::algorithm

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Schedules by levels, buckets and binomial trees, proved by the checker; and what is refused.
#include "isotrope/algorithm/levels/levels.hpp"

#include <bit>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"
#include "isotrope/network/regrouped_axes.hpp"

#include "isotrope/algorithm/levels/bucket.hpp"
#include "isotrope/algorithm/levels/torus_levels.hpp"

#include "tests/algorithm/levels/level_plans.hpp"
#include "tests/sanitizers.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using schedule::Collective;
using schedule::Plan;
using schedule::PortModel;
using testing::HasSubstr;

Plan by_levels(const char* name, const LevelShape& shape) {
  const Network network = network::parse(name);
  return plan_of(network, Collective::allreduce,
                 exchange_by_levels(network, torus_levels(whole_torus(network), shape), PortModel::all()));
}

TEST(Levels, sum_up_on_tori_of_any_extents) {
  unsigned trial = 0;
  for (const char* name :
       {"ring:2",      "ring:3",    "ring:4",      "ring:5",      "ring:8",      "ring:9",    "ring:12",
        "ring:15",     "ring:24",   "ring:27",     "torus:4x4",   "torus:3x5",   "torus:4x8", "torus:2x3x4",
        "torus:3x3x3", "torus:6x6", "torus:1x7x2", "hypercube:1", "hypercube:5", "torus:9x9"}) {
    const std::uint32_t stages = stage_count(whole_torus(network::parse(name)));
    for (std::uint32_t divisions = 0; divisions <= stages; ++divisions) {
      for (const std::uint32_t grouped : {1u, 2u, 3u}) {
        for (const auto program :
             {LevelShape::Program::fold, LevelShape::Program::windows, LevelShape::Program::stages}) {
          for (const std::uint32_t copies : {1u, 2u, 5u}) {
            if (is_left_out(trial++, 5)) continue;
            const LevelShape shape{divisions, grouped, program, copies};
            const Plan plan = by_levels(name, shape);
            EXPECT_EQ(first_fault(plan), "") << name << ", " << to_string(shape);
            EXPECT_EQ(plan.task.parts,
                      copies * division_product(whole_torus(network::parse(name)), divisions));
          }
        }
      }
    }
  }
}

TEST(Levels, sum_up_on_regrouped_tori) {
  for (const char* name :
       {"ring:4", "torus:4x4", "torus:3x4", "torus:4x8", "hypercube:4", "hypercube:5", "torus:2x3x2"}) {
    const network::SplitTorus other = network::regrouped(whole_torus(network::parse(name)))->torus;
    for (std::uint32_t divisions = 0; divisions <= stage_count(other); ++divisions) {
      for (const auto program : {LevelShape::Program::fold, LevelShape::Program::stages}) {
        for (const std::uint32_t copies : {1u, 2u, 5u}) {
          LevelShape shape{divisions, 2, program, copies};
          shape.regrouped = true;
          const Plan plan = by_levels(name, shape);
          EXPECT_EQ(first_fault(plan), "") << name << ", " << to_string(shape);
          EXPECT_EQ(plan.task.parts, copies * division_product(other, divisions));
        }
      }
    }
  }
}

// log2 p messages of the whole vector on every axis.
TEST(Levels, without_divisions_take_the_steps_of_the_programs) {
  EXPECT_EQ(by_levels("torus:8x8", {}).schedule.round_count(), 6u);
  EXPECT_EQ(by_levels("torus:9x9", {}).schedule.round_count(), 4u);
  EXPECT_EQ(by_levels("hypercube:6", {}).schedule.round_count(), 6u);
  EXPECT_EQ(by_levels("torus:8x8", {.divisions = 2, .grouped = 2}).schedule.round_count(), 2u + 4u);
}

// One value less, one more or one twice.
TEST(Levels, are_refused_by_the_checker_if_a_sum_is_changed) {
  const Plan plan = by_levels("torus:4x3", {.divisions = 2, .copies = 2});
  for (std::size_t i = 0; i < plan.schedule.stages[0].sums.size(); ++i) {
    Plan twice = plan;
    auto& values = twice.schedule.stages[0].sums[i].values;
    values.push_back(values.front());
    EXPECT_NE(first_fault(twice), "") << i;
  }
  for (std::size_t i = 0; i < plan.schedule.stages[0].result.size(); ++i) {
    Plan less = plan, more = plan;
    less.schedule.stages[0].result[i].pop_back();
    EXPECT_NE(first_fault(less), "") << i;
    auto& values = more.schedule.stages[0].result[i];
    values.push_back(values.front() == 0 ? 0 : values.front() - 1);
    EXPECT_NE(first_fault(more), "") << i;
  }
}

Permutation moved(const Network& network, Node by) {
  Permutation result(network.order());
  for (Node node = 0; node < result.size(); ++node) result[node] = network.group().add(node, by);
  return result;
}

std::string refusal(const Network& network, const LevelPlan& plan) {
  try {
    exchange_by_levels(network, std::vector{plan}, PortModel::all());
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// On ring:9 the nodes that the division by one joins must not be joined again.
TEST(Levels, refuse_divisions_that_do_not_split) {
  const Network ring = network::parse("ring:9");
  const std::vector<Permutation> near{moved(ring, 1), moved(ring, 8)}, far{moved(ring, 3), moved(ring, 6)};
  EXPECT_EQ(refusal(ring, {{near, far}, {}}), "");
  EXPECT_THAT(refusal(ring, {{far, near}, {}}), HasSubstr("division 0: node 0 and its partners are not in"));
  EXPECT_THAT(refusal(ring, {{near}, {}}),
              HasSubstr("splits the component of node 0 into 9: give 8 partners"));
  EXPECT_THAT(refusal(ring, {{far}, {}}), HasSubstr("no messages join node 1 with node 0"));
}

TEST(HalvingAndDoubling, divides_by_every_bit) {
  for (const char* name :
       {"ring:2", "ring:16", "torus:4x4", "hypercube:5", "twisted-torus:2x2x4", "complete:8"}) {
    const Network network = network::parse(name);
    const std::vector plan{halving_and_doubling(network)};
    EXPECT_EQ(block_count(plan.front()), network.order());
    const Plan written =
        plan_of(network, Collective::allreduce, exchange_by_levels(network, plan, PortModel::one()));
    EXPECT_EQ(first_fault(written), "") << name;
    EXPECT_EQ(written.schedule.round_count(), 2u * static_cast<unsigned>(std::countr_zero(network.order())));
  }
}

TEST(Bucket, goes_round_the_rings) {
  for (const char* name : {"ring:2", "ring:7", "torus:4x4", "torus:3x5", "torus:2x3x4", "hypercube:3"}) {
    const Network network = network::parse(name);
    const RingGrid grid = torus_grid(network);
    for (const std::uint32_t copies : {1u, 2u, 6u}) {
      const Plan plan =
          plan_of(network, Collective::allreduce, bucket(network, grid, copies, PortModel::all()));
      EXPECT_EQ(first_fault(plan), "") << name << ", " << copies;
      EXPECT_EQ(plan.task.parts, copies * network.order());
      for (const Node offset : plan.overlay->generators()) EXPECT_EQ(network.distance(0, offset), 1u);
      std::uint64_t rounds = 0;
      for (const auto extent : grid.extents) rounds += 2 * (extent - 1);
      EXPECT_EQ(plan.schedule.round_count(), rounds);
    }
    EXPECT_EQ(
        first_fault(plan_of(network, Collective::allreduce, bucket(network, grid, 1, PortModel::one()))), "")
        << name;
  }
}

TEST(Ring, goes_along_a_hamiltonian_cycle) {
  for (const char* name : {"torus:3x5", "hexmesh:2", "circulant:13:1,5", "complete:5", "twisted-torus:2x4"}) {
    const Network network = network::parse(name);
    const Plan plan =
        plan_of(network, Collective::allreduce, bucket(network, cycle_grid(network), 2, PortModel::all()));
    EXPECT_EQ(first_fault(plan), "") << name;
    EXPECT_EQ(plan.schedule.round_count(), 2 * (network.order() - 1));
    for (const Node offset : plan.overlay->generators()) EXPECT_EQ(network.distance(0, offset), 1u);
  }
}

TEST(Binomial, takes_whole_vectors_up_and_down_a_tree) {
  for (const char* name : {"ring:2", "ring:3", "hexmesh:3", "torus:5x5", "hypercube:4", "complete:11"}) {
    const Network network = network::parse(name);
    const Plan plan =
        plan_of(network, Collective::allreduce, binomial_reduce_and_broadcast(network, PortModel::one()));
    EXPECT_EQ(first_fault(plan), "") << name;
    EXPECT_EQ(plan.schedule.hop_count(), 2 * (network.order() - 1));
    EXPECT_EQ(plan.schedule.round_count(), 2u * static_cast<unsigned>(std::bit_width(network.order() - 1)));
  }
}

}  // namespace
}  // namespace isotrope::algorithm

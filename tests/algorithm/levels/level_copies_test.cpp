// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Broadcasts and allgathers by levels, along rings and trees: proved by the checker from any root; every node receives
// every packet once.
#include "isotrope/algorithm/levels/level_copies.hpp"

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
#include "isotrope/algorithm/levels/copy_writer.hpp"
#include "isotrope/algorithm/levels/torus_levels.hpp"

#include "tests/algorithm/levels/level_plans.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using schedule::Collective;
using schedule::Plan;
using schedule::PortModel;
using testing::HasSubstr;

Plan broadcast_plan(const char* name, Node root, const LevelShape& shape) {
  const Network network = network::parse(name);
  return plan_of(
      network, Collective::broadcast,
      broadcast_by_levels(network, root, torus_levels(whole_torus(network), shape), PortModel::all()), root);
}

Plan allgather_plan(const char* name, const LevelShape& shape) {
  const Network network = network::parse(name);
  return plan_of(network, Collective::allgather,
                 allgather_by_levels(network, torus_levels(whole_torus(network), shape), PortModel::all()));
}

std::vector<LevelShape> shapes_on(const Network& network) {
  std::vector<LevelShape> result;
  for (std::uint32_t divisions = 0; divisions <= stage_count(whole_torus(network)); ++divisions) {
    for (const std::uint32_t grouped : {1u, 2u, 3u}) {
      for (const auto program :
           {LevelShape::Program::fold, LevelShape::Program::windows, LevelShape::Program::stages}) {
        for (const auto& [copies, joined] : {std::pair(1u, 1u), {1u, 2u}, {2u, 3u}, {5u, 1u}, {5u, 2u}})
          result.push_back({divisions, grouped, program, copies, joined});
      }
    }
  }
  return result;
}

constexpr const char* copied_tori[] = {
    "ring:2",    "ring:5",      "ring:7",      "ring:8",      "ring:12",     "torus:4x4", "torus:3x5",
    "torus:4x6", "torus:2x3x4", "torus:1x7x2", "hypercube:4", "torus:3x3x3", "ring:22"};

TEST(LevelCopies, reach_all_nodes_of_regrouped_tori) {
  for (const char* name : {"torus:4x4", "torus:4x6", "hypercube:3", "hypercube:4", "torus:2x3x2"}) {
    const Network network = network::parse(name);
    for (LevelShape shape : shapes_on(network::regrouped(whole_torus(network))->torus.network)) {
      shape.regrouped = true;
      EXPECT_EQ(first_fault(broadcast_plan(name, network.order() - 2, shape)), "")
          << name << ", " << to_string(shape);
      EXPECT_EQ(first_fault(allgather_plan(name, shape)), "") << name << ", " << to_string(shape);
    }
  }
}

// From the first node, from the last, and from one with coordinates of both parities.
TEST(LevelBroadcast, reaches_all_nodes_of_tori_of_any_extents_from_any_root) {
  for (const char* name : copied_tori) {
    const Network network = network::parse(name);
    const Node roots[] = {0, network.order() - 1, network.order() / 2 - network.order() / 5};
    std::size_t i = 0;
    for (const LevelShape& shape : shapes_on(network)) {
      const Plan plan = broadcast_plan(name, roots[i++ % 3], shape);
      EXPECT_EQ(first_fault(plan), "") << name << ", " << to_string(shape) << ", root " << plan.task.root;
      EXPECT_EQ(plan.task.parts, shape.copies * division_product(whole_torus(network), shape.divisions));
      EXPECT_EQ(plan.schedule.hop_count(), plan.task.parts * (network.order() - 1));
    }
  }
}

TEST(LevelBroadcast, takes_every_root) {
  for (const char* name : {"ring:8", "torus:3x4", "torus:2x6"}) {
    for (Node root = 0; root < network::parse(name).order(); ++root) {
      for (const LevelShape& shape : {LevelShape{.joined = 2}, LevelShape{.divisions = 2, .copies = 2}})
        EXPECT_EQ(first_fault(broadcast_plan(name, root, shape)), "") << name << ", root " << root;
    }
  }
}

TEST(LevelAllgather, reaches_all_nodes_of_tori_of_any_extents) {
  for (const char* name : copied_tori) {
    const Network network = network::parse(name);
    for (const LevelShape& shape : shapes_on(network)) {
      const Plan plan = allgather_plan(name, shape);
      EXPECT_EQ(first_fault(plan), "") << name << ", " << to_string(shape);
      EXPECT_EQ(plan.task.parts, shape.copies);
      EXPECT_EQ(plan.schedule.hop_count(),
                std::uint64_t{shape.copies} * network.order() * (network.order() - 1));
    }
  }
}

// Two messages of a fold and one between: three steps an axis, or three for both axes together.
TEST(LevelBroadcast, takes_the_steps_of_axes_together) {
  EXPECT_EQ(broadcast_plan("torus:8x8", 5, {}).schedule.round_count(), 6u);
  EXPECT_EQ(broadcast_plan("torus:8x8", 5, {.joined = 2}).schedule.round_count(), 3u);
  EXPECT_EQ(broadcast_plan("torus:4x8", 5, {.joined = 2}).schedule.round_count(), 3u);
  EXPECT_EQ(
      broadcast_plan("torus:8x8", 5, {.divisions = 2, .grouped = 2, .joined = 2}).schedule.round_count(),
      2u + 2u);
}

// A root in a ring of 4: blocks of the components {0 3} and {1 2}, as in the head of the header. The root has both.
TEST(LevelBroadcast, scatters_spreads_and_gathers) {
  const Plan plan = broadcast_plan("ring:4", 0, {.divisions = 1, .program = LevelShape::Program::stages});
  const Network& overlay = *plan.overlay;
  std::vector<std::vector<std::pair<Node, Node>>> rounds;
  for (std::uint64_t t = 0; t < plan.schedule.round_count(); ++t) {
    auto& round = rounds.emplace_back();
    for (const schedule::Hop& hop : plan.schedule.stages[0].rounds.round(t))
      round.emplace_back(hop.from, overlay.neighbour(hop.from, hop.port));
  }
  using testing::ElementsAre, testing::Pair, testing::UnorderedElementsAre;
  EXPECT_THAT(rounds, ElementsAre(ElementsAre(Pair(0, 1)), UnorderedElementsAre(Pair(0, 3), Pair(1, 2)),
                                  UnorderedElementsAre(Pair(0, 1), Pair(3, 2), Pair(2, 3))));
}

TEST(CopyWriter, leaves_out_what_a_node_has_or_will_have) {
  const Network ring = network::parse("ring:4");
  CopyWriter writer(ring, 1);
  writer.own(0, 0);
  writer.copy(0, 2, 0);
  writer.copy(2, 1, 0);  // 2 has nothing yet
  writer.close_round();
  writer.close_round();
  writer.copy(0, 1, 0);
  writer.copy(2, 1, 0);
  writer.copy(2, 3, 0);
  writer.copy(2, 0, 0);
  writer.close_round();
  const OverlaidSchedule written = writer.finish({}, PortModel::all(), 1);
  EXPECT_EQ(written.schedule.round_count(), 2u);
  EXPECT_EQ(written.schedule.hop_count(), 3u);
  EXPECT_EQ(written.overlay.distance(0, 2), 1u);
}

TEST(LevelCopies, refuse_divisions_that_do_not_split) {
  const Network ring = network::parse("ring:4");
  const std::vector plan{LevelPlan{{{{1, 2, 3, 0}}}, {}}};
  EXPECT_THROW(broadcast_by_levels(ring, 0, plan, PortModel::all()), Error);
  EXPECT_THROW(allgather_by_levels(ring, plan, PortModel::all()), Error);
}

TEST(BucketAllgather, goes_round_the_rings) {
  for (const char* name : {"ring:2", "ring:7", "torus:4x4", "torus:3x5", "torus:2x3x4", "hypercube:3"}) {
    const Network network = network::parse(name);
    const RingGrid grid = torus_grid(network);
    for (const std::uint32_t copies : {1u, 2u, 6u}) {
      const PortModel ports = copies == 1 ? PortModel::one() : PortModel::all();
      const Plan plan =
          plan_of(network, Collective::allgather, bucket_allgather(network, grid, copies, ports));
      EXPECT_EQ(first_fault(plan), "") << name << ", " << copies;
      std::uint64_t rounds = 0;
      for (const auto extent : grid.extents) rounds += extent - 1;
      EXPECT_EQ(plan.schedule.round_count(), rounds);
    }
  }
  const Network mesh = network::parse("hexmesh:2");
  EXPECT_EQ(first_fault(plan_of(mesh, Collective::allgather,
                                bucket_allgather(mesh, cycle_grid(mesh), 2, PortModel::all()))),
            "");
}

TEST(HalvingAndDoubling, scatters_and_gathers) {
  for (const char* name : {"ring:16", "torus:4x4", "twisted-torus:2x2x4", "complete:8"}) {
    const Network network = network::parse(name);
    const std::vector plan{halving_and_doubling(network)};
    const auto rounds = static_cast<unsigned>(std::countr_zero(network.order()));
    const Plan broadcast =
        plan_of(network, Collective::broadcast, broadcast_by_levels(network, 3, plan, PortModel::one()), 3);
    const Plan allgather =
        plan_of(network, Collective::allgather, allgather_by_levels(network, plan, PortModel::one()));
    EXPECT_EQ(first_fault(broadcast), "") << name;
    EXPECT_EQ(first_fault(allgather), "") << name;
    EXPECT_EQ(broadcast.schedule.round_count(), 2 * rounds);
    EXPECT_EQ(allgather.schedule.round_count(), rounds);
  }
}

TEST(BinomialBroadcast, takes_the_whole_vector_down_a_tree) {
  for (const char* name : {"ring:2", "ring:3", "hexmesh:3", "torus:5x5", "hypercube:4", "complete:11"}) {
    const Network network = network::parse(name);
    const Node root = network.order() - 1;
    const Plan plan =
        plan_of(network, Collective::broadcast, binomial_broadcast(network, root, PortModel::one()), root);
    EXPECT_EQ(first_fault(plan), "") << name;
    EXPECT_EQ(plan.schedule.hop_count(), network.order() - 1);
    EXPECT_EQ(plan.schedule.round_count(), static_cast<unsigned>(std::bit_width(network.order() - 1)));
  }
}

}  // namespace
}  // namespace isotrope::algorithm

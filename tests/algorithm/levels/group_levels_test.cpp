// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans by levels on Cayley graphs that are no tori, proved by the checker.
#include "isotrope/algorithm/levels/group_levels.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/algorithm/levels/level_copies.hpp"
#include "isotrope/algorithm/levels/levels.hpp"
#include "isotrope/algorithm/levels/offset_search.hpp"

#include "tests/algorithm/levels/level_plans.hpp"
#include "tests/sanitizers.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using schedule::Collective;
using schedule::Plan;
using schedule::PortModel;

constexpr const char* grouped_networks[] = {
    "hexmesh:2",           "hexmesh:3",         "hexmesh:4",           "hexmesh:5",
    "circulant:13:1,5",    "circulant:16:1,4",  "circulant:28:1,6",    "circulant:29:1,5,12",
    "circulant:30:7,11",   "twisted-torus:4x8", "twisted-torus:3x3x6", "twisted-torus:2x2x4",
    "twisted-torus:4x4x8", "complete:2",        "complete:6",          "complete:17",
    "hexmesh:7",           "hexmesh:10"};

// Messages that a node may send at once.
constexpr std::uint32_t many = 16;

TEST(GroupLevels, sum_up_and_copy_on_every_group) {
  unsigned trial = 0;
  for (const char* name : grouped_networks) {
    const Network network = network::parse(name);
    const std::vector<LevelShape> shapes = group_shapes(network, many);
    EXPECT_FALSE(shapes.empty());
    for (const LevelShape& shape : shapes) {
      if (is_left_out(trial++, 4)) continue;
      const std::vector<LevelPlan> copies = group_levels(network, shape);
      const std::string what = name + (", " + to_string(shape));
      ASSERT_EQ(copies.size(), shape.copies) << what;
      const Plan sums =
          plan_of(network, Collective::allreduce, exchange_by_levels(network, copies, PortModel::all()));
      EXPECT_EQ(first_fault(sums), "") << what;
      const Node root = network.order() / 2;
      const Plan broadcast = plan_of(network, Collective::broadcast,
                                     broadcast_by_levels(network, root, copies, PortModel::all()), root);
      EXPECT_EQ(first_fault(broadcast), "") << what;
      if (network.order() > 64) continue;
      const Plan allgather =
          plan_of(network, Collective::allgather, allgather_by_levels(network, copies, PortModel::all()));
      EXPECT_EQ(first_fault(allgather), "") << what;
    }
  }
}

// A step of n messages over h hops costs n + 1 + h; a division twice as much.
std::uint64_t units(const Network& network, const DividedProgram& found) {
  const auto of_step = [&](const OffsetStep& step) {
    std::uint32_t farthest = 0;
    for (const OffsetSend& send : step) farthest = std::max(farthest, network.distance(0, send.even));
    return step.size() + 1 + farthest;
  };
  std::uint64_t result = 0;
  for (const OffsetStep& step : found.divisions) result += 2 * of_step(step);
  for (const OffsetStep& step : found.program.steps) result += of_step(step);
  return result;
}

TEST(OffsetSearch, finds_programs_as_cheap_as_the_best_known) {
  const struct {
    const char* name;
    std::uint64_t known;
  } cases[] = {
      {"hexmesh:3", 13}, {"circulant:29:1,5,12", 14}, {"hexmesh:5", 21}, {"twisted-torus:4x4x8", 22}};
  for (const auto& [name, known] : cases) {
    const Network network = network::parse(name);
    const auto found = search_offset_program(network, 0, most_searched_messages);
    ASSERT_TRUE(found) << name;
    EXPECT_LE(units(network, *found), known) << name;
  }
}

// The least cost of steps that make every set grow n + 1 times, on small groups: no program can be cheaper.
TEST(OffsetSearch, is_optimal_on_complete_networks) {
  const struct {
    const char* name;
    std::uint64_t least;
  } cases[] = {{"complete:2", 3}, {"complete:3", 4}, {"complete:4", 5}, {"complete:6", 7}, {"complete:9", 8}};
  for (const auto& [name, least] : cases) {
    const Network network = network::parse(name);
    const auto found = search_offset_program(network, 0, most_searched_messages);
    ASSERT_TRUE(found) << name;
    EXPECT_EQ(units(network, *found), least) << name;
  }
}

TEST(OffsetSearch, sends_no_more_messages_at_once_than_are_allowed) {
  for (const char* name : {"twisted-torus:4x4x8", "circulant:16:1,4", "circulant:64:1,9"}) {
    const Network network = network::parse(name);
    for (std::uint32_t divisions = 0; divisions <= 2; ++divisions) {
      ASSERT_TRUE(search_offset_program(network, divisions, 1)) << name;
      const std::vector<LevelPlan> plan =
          group_levels(network, {.divisions = divisions, .program = LevelShape::Program::searched});
      EXPECT_EQ(most_messages(plan.front()), 1u);
      EXPECT_EQ(first_fault(plan_of(network, Collective::allreduce,
                                    exchange_by_levels(network, plan, PortModel::one()))),
                "")
          << name << ", divisions " << divisions;
    }
  }
}

// To a neighbour, there and back, a division takes 6 units; the program of half as many nodes takes fewer than before.
TEST(OffsetSearch, divides_at_little_cost) {
  const Network network = network::parse("twisted-torus:4x4x8");
  std::uint64_t before = units(network, *search_offset_program(network, 0, most_searched_messages));
  for (std::uint32_t divisions = 1; divisions <= most_searched_divisions; ++divisions) {
    const auto found = search_offset_program(network, divisions, most_searched_messages);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->divisions.size(), divisions);
    EXPECT_LT(units(network, *found), before + 6);
    before = units(network, *found);
  }
}

TEST(OffsetSearch, gives_the_same_program_every_time) {
  const Network network = network::parse("circulant:25:1,7");
  const auto first = search_offset_program(network, 0, most_searched_messages);
  ASSERT_TRUE(first);
  for (int i = 0; i < 20; ++i)
    search_offset_program(network::parse("complete:" + std::to_string(i + 2)), 0, most_searched_messages);
  const auto again = search_offset_program(network, 0, most_searched_messages);
  ASSERT_TRUE(again);
  EXPECT_EQ(on_nodes(network, first->program).size(), on_nodes(network, again->program).size());
  EXPECT_EQ(units(network, *first), units(network, *again));
}

}  // namespace
}  // namespace isotrope::algorithm

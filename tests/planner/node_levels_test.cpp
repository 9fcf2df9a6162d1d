// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/node_levels.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/node_places.hpp"

#include "isotrope/cost/node_places.hpp"

#include "isotrope/verify/verify.hpp"

namespace isotrope::planner {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr cost::LinkTime node_memory{1e-6, 1e-10};

NodeLevels levels_of(const std::string& nodes, std::uint32_t ranks) {
  return {network::parse_named(nodes),
          ranks,
          {.startup_s = 2e-6, .byte_time_s = 1e-9, .ports = schedule::PortModel::all()},
          node_memory};
}

Choice flat_choice(const NodeLevels& levels, Collective collective, std::uint64_t bytes) {
  const network::NamedNetwork places = network::network_of_places(levels.nodes, levels.ranks_per_node);
  const cost::Machine machine =
      cost::machine_of_places(levels.links, node_memory, levels.ranks_per_node, places);
  return choose_for({.network = places.network,
                     .failed = places.lacks,
                     .task = {.collective = collective},
                     .ports = schedule::PortModel::all()},
                    bytes, machine);
}

// Two nodes of two ranks: every stage is one message over one link, whose time is known.
TEST(NodeLevels, add_the_times_of_stages) {
  const NodeLevels levels = levels_of("ring:2", 2);
  constexpr std::uint64_t bytes = 1 << 20;
  constexpr double size = bytes, link = 1e-9, start = 2e-6, memory_start = 1e-6, memory_byte = 1e-10;
  const auto broadcasts = staged_ways(levels, Collective::broadcast, bytes);
  ASSERT_THAT(broadcasts, SizeIs(2));
  EXPECT_EQ(broadcasts[0].name, "striping");
  ASSERT_THAT(broadcasts[0].stages, SizeIs(3));
  EXPECT_EQ(broadcasts[0].stages[0].what, "scatter in memory");
  EXPECT_DOUBLE_EQ(broadcasts[0].stages[0].seconds, memory_start + size / 2 * memory_byte);
  EXPECT_EQ(broadcasts[0].stages[1].what, "broadcast in lanes");
  EXPECT_DOUBLE_EQ(broadcasts[0].stages[1].seconds, start + size / 2 * 2 * link);
  EXPECT_DOUBLE_EQ(broadcasts[0].stages[2].seconds, memory_start + size / 2 * memory_byte);
  EXPECT_EQ(broadcasts[1].name, "leaders");
  ASSERT_THAT(broadcasts[1].stages, SizeIs(2));
  EXPECT_DOUBLE_EQ(broadcasts[1].stages[0].seconds, start + size * link);
  EXPECT_DOUBLE_EQ(broadcasts[1].stages[1].seconds, memory_start + size * memory_byte);

  const auto exchanges = staged_ways(levels, Collective::alltoall, bytes);
  ASSERT_THAT(exchanges[0].stages, SizeIs(2));
  EXPECT_DOUBLE_EQ(exchanges[0].stages[0].seconds, memory_start + 2 * size * memory_byte);
  EXPECT_DOUBLE_EQ(exchanges[0].stages[1].seconds, start + 2 * size * 2 * link);
  ASSERT_THAT(exchanges[1].stages, SizeIs(3));
  EXPECT_DOUBLE_EQ(exchanges[1].stages[1].seconds, start + 4 * size * link);
  EXPECT_DOUBLE_EQ(exchanges[1].seconds(), exchanges[1].stages[0].seconds + exchanges[1].stages[1].seconds +
                                               exchanges[1].stages[2].seconds);
}

TEST(NodeLevels, have_ways_of_all_collectives_but_scans) {
  const NodeLevels levels = levels_of("line:3xring:4", 3);
  for (const Collective collective :
       {Collective::broadcast, Collective::scatter, Collective::gather, Collective::reduce,
        Collective::allgather, Collective::alltoall, Collective::allreduce, Collective::reduce_scatter}) {
    for (const StagedWay& way : staged_ways(levels, collective, 4096)) {
      EXPECT_GE(way.stages.size(), 2U) << way.name;
      for (const Stage& stage : way.stages) EXPECT_GT(stage.seconds, 0) << stage.what;
    }
  }
  EXPECT_THAT(staged_ways(levels, Collective::barrier, 1)[1].stages, SizeIs(3));
  for (const StagedWay& way : staged_ways(levels, Collective::scan, 4096)) EXPECT_THAT(way.stages, IsEmpty());
}

// One plan takes the stages of striping, one round each in memory, also around a failed link. In lanes the stages may have a better plan.
TEST(NodeLevels, have_a_striped_plan_around_failures) {
  NodeLevels levels = levels_of("line:4xring:6", 4);
  levels.nodes.lacks.links = network::parse_failed_links("0-1", levels.nodes.network, levels.nodes.lacks);
  constexpr std::uint64_t bytes = 1 << 16;
  const Choice choice = flat_choice(levels, Collective::allreduce, bytes);
  EXPECT_EQ(choice.best().name(), "striped-merged-allreduce, aggregated");
  EXPECT_LE(choice.best().prediction.seconds,
            1.4 * staged_ways(levels, Collective::allreduce, bytes).front().seconds());
  EXPECT_TRUE(verify::verify(make_plan(choice.best())).valid);
}

// The bounds of both levels hold for the plan on the places.
TEST(NodeLevels, are_explained_beside_the_plan_on_the_places) {
  const NodeLevels levels = levels_of("torus:3x3", 2);
  for (const Collective collective : {Collective::broadcast, Collective::allgather, Collective::alltoall,
                                      Collective::allreduce, Collective::scatter}) {
    const Choice choice = flat_choice(levels, collective, 90000);
    EXPECT_THAT(explain_levels(levels, choice),
                AllOf(HasSubstr("two levels    torus:3x3 between nodes, 2 ranks in each"),
                      HasSubstr("ports of a node: at least"),
                      HasSubstr("memory of a node, if links cost nothing: at least"), HasSubstr("flat"),
                      HasSubstr("striping"), HasSubstr("leaders"), HasSubstr(" of flat: ")));
  }
}

}  // namespace
}  // namespace isotrope::planner

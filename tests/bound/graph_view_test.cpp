// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/graph_view.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/bound/kinds.hpp"
#include "isotrope/bound/lower_bounds.hpp"

namespace isotrope::bound {
namespace {

using schedule::Collective;
using schedule::PortModel;
using testing::ElementsAre;
using testing::IsEmpty;

// ring:5 without the link between 0 and 1: a path 1, 2, 3, 4, 0.
TEST(GraphView, counts_ports_and_distances_around_failures) {
  const Problem problem{network::parse("ring:5"), {{}, {{0, 0}}}, {.collective = Collective::gather}};
  const GraphView view(problem);
  EXPECT_FALSE(view.intact());
  EXPECT_FALSE(view.is_symmetric());
  EXPECT_TRUE(view.is_connected());
  EXPECT_EQ(view.node_count(), 5U);
  EXPECT_EQ(view.usable_ports(0), 1U);
  EXPECT_EQ(view.usable_ports(2), 2U);
  EXPECT_EQ(view.most_usable_ports(), 2U);
  EXPECT_EQ(view.all_usable_ports(), 8U);
  std::vector<std::uint32_t> distances;
  for (const Travel& travel : view.travels()) distances.push_back(travel.distance);
  EXPECT_THAT(distances, ElementsAre(4, 3, 2, 1));
}

TEST(GraphView, of_an_intact_network_lets_node_0_stand_for_all) {
  const Problem problem{network::parse("ring:5"), {}, {.collective = Collective::alltoall, .parts = 3}};
  const GraphView view(problem);
  EXPECT_TRUE(view.is_symmetric());
  EXPECT_EQ(view.diameter(), 2U);
  EXPECT_THAT(view.wanted(), ElementsAre(0, 2, 2));
  EXPECT_EQ(view.wanted_distance_sum(), 6U);
  EXPECT_EQ(view.all_usable_ports(), 10U);
  EXPECT_EQ(view.parts(), 3U);
}

TEST(GraphView, takes_blocks_for_one_part_if_messages_have_no_limit) {
  Problem problem{.network = network::parse("ring:5"), .task = {.parts = 3}, .aggregation = 4};
  EXPECT_EQ(GraphView(problem).parts(), 3U);
  EXPECT_EQ(GraphView(problem).room(), 8U);
  problem.aggregation = schedule::unbounded;
  EXPECT_EQ(GraphView(problem).parts(), 1U);
  EXPECT_EQ(GraphView(problem).room(), 2U);
}

TEST(GraphView, counts_the_parts_of_a_vector) {
  Problem problem{.network = network::parse("ring:5"),
                  .task = {.collective = Collective::allreduce, .parts = 3}};
  EXPECT_EQ(GraphView(problem).parts(), 15U);
  problem.task.vector_blocks = 2;
  EXPECT_EQ(GraphView(problem).parts(), 6U);
  problem.task.vector_blocks = 0;
  problem.failed.nodes = {1};
  EXPECT_EQ(GraphView(problem).parts(), 12U);
}

TEST(GraphView, bounds_nothing_that_cannot_be_done) {
  const auto ring = network::parse("ring:6");
  EXPECT_THAT(lower_bounds({ring, {{0}, {}}, {.collective = Collective::broadcast}}), IsEmpty());
  EXPECT_THAT(lower_bounds({ring, {{0, 3}, {}}, {.collective = Collective::alltoall}}), IsEmpty());
}

TEST(GraphView, of_no_traffic_takes_no_round) {
  const auto ring = network::parse("ring:6");
  for (const Collective collective : {Collective::task, Collective::isotropic}) {
    EXPECT_EQ(lower_bounds({ring, {}, {.collective = collective}}).front().value, 0U);
    EXPECT_EQ(lower_bounds({ring, {{2}, {}}, {.collective = collective}}).front().value, 0U);
  }
}

// The last node of a ring that lost the others.
TEST(GraphView, of_a_single_survivor_has_nothing_to_send) {
  const auto bounds =
      lower_bounds({network::parse("ring:3"), {{0, 1}, {}}, {.collective = Collective::alltoall}});
  EXPECT_THAT(bounds, ElementsAre(Bound{"degree", 0, "a single node has nothing to send"}));
}

network::Network any_small_network() {
  const auto n = *rc::gen::inRange<std::uint32_t>(3, 25);
  const auto a = *rc::gen::inRange<std::uint32_t>(2, 6), b = *rc::gen::inRange<std::uint32_t>(2, 6);
  const std::vector<std::string> names{fmt::format("ring:{}", n),
                                       fmt::format("torus:{}x{}", a, b),
                                       fmt::format("torus:{}x{}x2", a, b),
                                       fmt::format("hypercube:{}", a),
                                       fmt::format("hexmesh:{}", std::min(a, 4U)),
                                       fmt::format("complete:{}", n),
                                       fmt::format("circulant:{}:1,{}", n + 8, a)};
  return network::parse(*rc::gen::elementOf(names));
}

// Blocks for up to 3 relative destinations, which may be one.
schedule::Task any_isotropic_task(const network::Network& network) {
  schedule::Task task{.collective = Collective::isotropic, .parts = *rc::gen::inRange(1U, 4U)};
  for (int i = *rc::gen::inRange(1, 4); i > 0; --i)
    task.destinations.push_back({*rc::gen::inRange(0U, network.order()), *rc::gen::inRange(1U, 5U)});
  return task;
}

// Any task whose bounds use the symmetry.
schedule::Task any_symmetric_task(const network::Network& network) {
  if (*rc::gen::inRange(0, 4) == 0) return any_isotropic_task(network);
  const std::vector<std::string> names{"broadcast", "reduce",           "scatter",         "gather",
                                       "allgather", "reduce-scatter",   "allreduce",       "barrier",
                                       "alltoall",  "neighborhood:1:1", "neighborhood:1:2"};
  const auto name = *rc::gen::elementOf(names);
  return schedule::parse_task(name, network, 0, name == "barrier" ? 1U : *rc::gen::inRange(1U, 7U));
}

PortModel any_ports(const network::Network& network) {
  const std::vector<PortModel> models{PortModel::all(), PortModel::one(), PortModel::half(),
                                      PortModel::ports(*rc::gen::inRange(1U, network.degree() + 1))};
  return *rc::gen::elementOf(models);
}

// Counting and searching around failures that are none finds no more than the closed forms.
RC_GTEST_PROP(GraphView, around_no_failures_bounds_no_better_than_the_symmetry, ()) {
  const network::Network network = any_small_network();
  const Problem problem{.network = network,
                        .task = any_symmetric_task(network),
                        .ports = any_ports(network),
                        .aggregation = *rc::gen::elementOf(std::vector<std::uint64_t>{1, 5})};
  const auto general = bounds_on(GraphView(problem, Symmetry::ignored));
  const auto symmetric = lower_bounds(problem);
  RC_LOG() << network.name() << " " << to_string(problem.task) << " " << to_string(problem.ports) << " "
           << general.front().kind << ": " << general.front().because;
  RC_ASSERT(general.front().value <= symmetric.front().value);
}

}  // namespace
}  // namespace isotrope::bound

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/nodes_left.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/node_places.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/cost/link_times.hpp"
#include "isotrope/cost/node_places.hpp"

namespace isotrope::cost {
namespace {

using network::EdgeTimes;
using network::NamedNetwork;
using testing::ElementsAre;

Machine with_class(std::uint32_t axis, std::optional<double> startup_s, std::optional<double> byte_time_s) {
  Machine machine{.startup_s = 2e-6, .byte_time_s = 1e-9, .ports = schedule::PortModel::all()};
  machine.listed_classes[machine.link_class_count++] = {std::uint64_t{1} << axis, startup_s, byte_time_s};
  return machine;
}

NamedNetwork without(const std::string& name, std::vector<Node> nodes) {
  NamedNetwork result = network::parse_named(name);
  result.lacks.nodes = std::move(nodes);
  return result;
}

// 0 1    without node 3, 0 - 1 along axis 1, which is slow, and 0 - 2 along axis 0.
// 2
TEST(NodesLeft, have_links_with_the_times_of_their_axis) {
  const NodesLeft left = nodes_left(without("torus:2x2", {3}), with_class(1, 4e-6, 3e-9));
  EXPECT_EQ(left.machine.link_class_count, 0U);
  EXPECT_THAT(left.network.lacks.edge_times, ElementsAre(EdgeTimes{{0, 1}, 4e-6, 3e-9}));
}

TEST(NodesLeft, are_those_of_the_network_without_classes_or_failed_nodes) {
  Machine plain = with_class(1, 4e-6, 3e-9);
  const NodesLeft whole = nodes_left(network::parse_named("torus:3x4"), plain);
  EXPECT_EQ(whole.machine, plain);
  EXPECT_TRUE(whole.network.lacks.edge_times.empty());
  plain.link_class_count = 0;
  EXPECT_TRUE(nodes_left(without("torus:3x4", {1}), plain).network.lacks.edge_times.empty());
}

TEST(NodesLeft, refuse_classes_that_are_none) {
  EXPECT_THROW(nodes_left(without("torus:3x4", {1}), with_class(2, 4e-6, {})), Error);
}

// Every link that is left has the times that it had, also where links side by side share a bandwidth, and so has every lane of it.
TEST(NodesLeft, keep_the_times_of_every_link) {
  for (const std::string name : {"torus:3x4", "line:3xring:4", "torus:4x4@2,1", "line:4xring:5@3",
                                 "complete:5", "hypercube:3", "twisted-torus:2x4"}) {
    for (const Machine& links : {with_class(0, 5e-6, {}), with_class(0, {}, 4e-9)}) {
      const NamedNetwork whole = without(name, {1});
      const LinkTimes before(whole.network, whole.lacks, links);
      const network::SurvivingNetwork expected(whole.network, whole.lacks);
      const NodesLeft left = nodes_left(whole, links);
      const LinkTimes after(left.network.network, left.network.lacks, left.machine);
      const network::SurvivingNetwork found(left.network.network, left.network.lacks);
      const NamedNetwork places = network::network_of_places(left.network, 2);
      const LinkTimes of_places(places.network, places.lacks,
                                machine_of_places(left.machine, memory_of_host, 2, places));
      const network::SurvivingNetwork lanes(places.network, places.lacks);
      for (const Node node : found.nodes()) {
        found.for_each_neighbour(node, [&](Port port, Node to) {
          expected.for_each_neighbour(expected.nodes()[node], [&](Port old, Node old_to) {
            if (old_to != expected.nodes()[to]) return;
            EXPECT_EQ(after.all()[after.of(node, port)],
                      before.all()[before.of(old_to, whole.network.opposite(old))])
                << name;
          });
          lanes.for_each_neighbour(2 * node, [&](Port lane, Node lane_to) {
            if (lane_to != 2 * to) return;
            const LinkTime link = after.all()[after.of(node, port)];
            EXPECT_EQ(of_places.all()[of_places.of(2 * node, lane)],
                      (LinkTime{link.startup_s, link.byte_time_s, 2}))
                << name;
          });
        });
      }
    }
  }
}

}  // namespace
}  // namespace isotrope::cost

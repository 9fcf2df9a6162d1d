// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/lane_groups.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::cost {
namespace {

using schedule::Replication;

// Places of a node are in one group, each of its classes with as many of them; classes of one group share every node of both.
TEST(LaneGroups, hold_the_classes_of_the_places_of_a_node) {
  for (const std::string name : {"torus:2x4xcomplete:4", "ring:6xcomplete:2", "hypercube:2xcomplete:6"}) {
    const network::Network network = network::parse(name);
    const std::uint32_t lanes = network.group().moduli().back();
    const auto last = static_cast<std::uint32_t>(network.group().rank() - 1);
    for (const Replication replication :
         {Replication::none(), Replication::all(), Replication::even(0), Replication::even(last),
          Replication::even_sum(std::uint64_t{1} | std::uint64_t{1} << last)}) {
      const schedule::NodeClasses classes(network.group(), replication);
      const LaneGroups groups(classes, network.order(), lanes);
      for (network::Node first = 0; first < network.order(); first += lanes) {
        std::multiset<network::Node> of_places;
        for (network::Node place = first; place < first + lanes; ++place) {
          EXPECT_EQ(groups.of(classes.of(place)), groups.of(classes.of(first))) << name;
          of_places.insert(classes.of(place));
        }
        for (const network::Node place_class : of_places)
          EXPECT_EQ(of_places.count(place_class), groups.members()) << name;
      }
    }
  }
}

TEST(LaneGroups, are_the_classes_if_nodes_have_one_place) {
  const network::Network network = network::parse("torus:4x4");
  const schedule::NodeClasses classes(network.group(), Replication::none());
  const LaneGroups groups(classes, network.order(), 1);
  for (network::Node node = 0; node < network.order(); ++node) EXPECT_EQ(groups.of(node), node);
  EXPECT_EQ(groups.members(), 1U);
}

}  // namespace
}  // namespace isotrope::cost

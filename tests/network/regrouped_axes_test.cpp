// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/regrouped_axes.hpp"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::network {
namespace {

std::optional<RegroupedTorus> regrouped_of(const std::string& name) {
  return regrouped(*split_torus(parse(name), {}));
}

TEST(RegroupedAxes, are_two_of_2_for_one_of_4_or_the_reverse) {
  for (const auto& [given, other] :
       std::vector<std::pair<std::string, std::string>>{{"ring:4", "torus:2x2"},
                                                        {"torus:4x4x4", "torus:2x2x2x2x2x2"},
                                                        {"torus:3x4x5", "torus:3x2x2x5"},
                                                        {"torus:4x2", "torus:2x2x2"},
                                                        {"hypercube:4", "torus:4x4"},
                                                        {"hypercube:3", "torus:4x2"},
                                                        {"torus:2x8x2", "torus:8x4"},
                                                        {"torus:2x1x2x5", "torus:1x4x5"}}) {
    const auto torus = regrouped_of(given);
    ASSERT_TRUE(torus) << given;
    EXPECT_TRUE(same_network(torus->torus.network, parse(other))) << given;
  }
}

TEST(RegroupedAxes, do_not_exist_without_an_axis_of_4_or_two_of_2) {
  for (const char* name : {"ring:8", "torus:3x5", "torus:8x8", "hypercube:1", "torus:2x8", "ring:2"})
    EXPECT_FALSE(regrouped_of(name)) << name;
}

std::set<Node> neighbours(const Network& network, Node node) {
  std::set<Node> result;
  for (const Node generator : network.generators()) result.insert(network.group().add(node, generator));
  return result;
}

TEST(RegroupedAxes, join_the_same_nodes) {
  for (const char* name : {"ring:4", "hypercube:2", "torus:4x4", "torus:4x3x4", "hypercube:5",
                           "torus:2x5x2x4", "torus:2x3x2x2"}) {
    const Network given = parse(name);
    const auto other = regrouped_of(name);
    ASSERT_TRUE(other) << name;
    EXPECT_EQ(std::set<Node>(other->numbers.begin(), other->numbers.end()).size(), given.order()) << name;
    for (Node node = 0; node < given.order(); ++node) {
      std::set<Node> laid;
      for (const Node each : neighbours(given, node)) laid.insert(other->numbers[each]);
      EXPECT_EQ(laid, neighbours(other->torus.network, other->numbers[node])) << name << ", " << node;
    }
  }
}

}  // namespace
}  // namespace isotrope::network

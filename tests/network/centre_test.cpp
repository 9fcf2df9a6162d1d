// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/centre.hpp"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::network {
namespace {

std::uint32_t eccentricity(const SurvivingNetwork& network, Node node) {
  const auto distances = network.distances(node);
  std::uint32_t result = 0;
  for (const Node other : network.nodes()) result = std::max(result, distances[other]);
  return result;
}

std::uint32_t radius(const SurvivingNetwork& network) {
  std::uint32_t result = unreachable;
  for (const Node node : network.nodes()) result = std::min(result, eccentricity(network, node));
  return result;
}

TEST(Centre, of_a_mesh_is_in_the_middle) {
  for (const auto& [name, node] : {std::pair("mesh:8x8", 27U), {"line:7", 3U}, {"mesh:3x5", 7U}}) {
    const NamedNetwork named = parse_named(name);
    EXPECT_EQ(centre(SurvivingNetwork(named.network, named.lacks)), node) << name;
  }
}

RC_GTEST_PROP(CentreProperty, is_a_node_of_least_eccentricity, ()) {
  const auto* const name =
      *rc::gen::element("mesh:4x6", "line:3xring:7", "torus:5x5", "hexmesh:3", "circulant:24:1,5",
                        "hypercube:4", "mesh:2x3x4", "line:9", "twisted-torus:4x8");
  NamedNetwork named = parse_named(name);
  const auto failed = *rc::gen::unique<std::vector<Node>>(rc::gen::inRange<Node>(0, named.network.order()));
  named.lacks.nodes.assign(
      failed.begin(), failed.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(failed.size(), 3)));
  std::ranges::sort(named.lacks.nodes);
  const SurvivingNetwork network(named.network, named.lacks);
  RC_PRE(network.cut_off(network.nodes().front()).empty());
  RC_ASSERT(eccentricity(network, centre(network)) == radius(network));
}

}  // namespace
}  // namespace isotrope::network

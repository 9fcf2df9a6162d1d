// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/port_automorphisms.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::network {
namespace {

TEST(PortAutomorphisms, are_all_symmetries_that_keep_node_0) {
  const struct {
    const char* name;
    std::size_t count;
  } cases[] = {{"ring:2", 1},      {"ring:7", 2},           {"torus:4x4", 8},          {"torus:3x5", 4},
               {"hypercube:3", 6}, {"torus:3x3x3", 48},     {"hexmesh:3", 6},          {"hexmesh:5", 6},
               {"complete:5", 4},  {"circulant:13:1,5", 4}, {"circulant:29:1,5,12", 2}};
  for (const auto& [name, count] : cases) EXPECT_EQ(port_automorphisms(parse(name)).size(), count) << name;
}

TEST(PortAutomorphisms, map_links_to_links_one_to_one) {
  for (const char* name : {"twisted-torus:4x8", "twisted-torus:4x4x8", "hexmesh:4", "circulant:16:1,4",
                           "torus:4x4", "hypercube:4", "ring:2"}) {
    const Network network = parse(name);
    const auto images = port_automorphisms(network);
    for (Node node = 0; node < network.order(); ++node) EXPECT_EQ(images.front()[node], node);
    for (const auto& image : images) {
      EXPECT_EQ(image[0], 0u);
      EXPECT_EQ(std::set<Node>(image.begin(), image.end()).size(), network.order()) << name;
      for (Node node = 0; node < network.order(); ++node) {
        for (Port port = 0; port < network.degree(); ++port)
          EXPECT_EQ(network.distance(image[node], image[network.neighbour(node, port)]), 1u) << name;
      }
    }
    EXPECT_EQ(std::set(images.begin(), images.end()).size(), images.size()) << name;
  }
}

}  // namespace
}  // namespace isotrope::network

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/network_slice.hpp"

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/io/network_layout.hpp"

namespace isotrope::io {
namespace {

using network::Failures;
using network::Link;
using network::Network;
using network::Node;
using network::parse;
using network::Port;

TEST(NetworkSlice, has_the_last_axes) {
  const auto slice = slice_of(parse("torus:32x32x32"), {}, 5000);
  ASSERT_TRUE(slice);
  EXPECT_EQ(slice->network().name(), "torus:32x32");
  EXPECT_EQ(slice->first(), 4096u);
  EXPECT_TRUE(slice->has(5119) && !slice->has(5120) && !slice->has(4095));
}

// Every link between two nodes of the slice is one link of the slice, and no other is.
TEST(NetworkSlice, has_the_links_between_its_nodes) {
  for (const char* name :
       {"torus:8x8x8x8", "hypercube:9", "torus:32x6x32@2,1,3", "torus:3x4x5x6x7", "mesh:64x64"}) {
    const auto [network, lacks] = network::parse_named(name);
    for (const Node node : {Node{0}, network.order() - 1}) {
      const auto slice = slice_of(network, lacks, node);
      ASSERT_TRUE(slice) << name;
      EXPECT_TRUE(slice->has(node)) << name;
      EXPECT_FALSE(undrawable_reason(slice->network())) << name;
      std::vector<bool> met(slice->network().directed_links());
      for (Node inner = 0; inner < network.order(); ++inner) {
        for (Port port = 0; port < network.degree(); ++port) {
          const auto own = slice->own({inner, port});
          EXPECT_EQ(own.has_value(), slice->has(inner) && slice->has(network.neighbour(inner, port))) << name;
          if (!own) continue;
          EXPECT_EQ(slice->first() + slice->network().neighbour(own->node, own->port),
                    network.neighbour(inner, port));
          met[std::size_t{own->node} * slice->network().degree() + own->port] = true;
        }
      }
      EXPECT_EQ(std::ranges::count(met, false), 0) << name;
    }
  }
}

TEST(NetworkSlice, lacks_what_the_network_lacks_there) {
  const Network network = parse("torus:8x8x8x8");
  const auto slice = slice_of(network, Failures({3, 560}, {{7, 0}, {7, 7}, {520, 7}}), 520);
  ASSERT_TRUE(slice);
  EXPECT_EQ(slice->first(), 512u);
  EXPECT_EQ(slice->failed().nodes, std::vector<Node>{48});
  ASSERT_EQ(slice->failed().links.size(), 1u);
  EXPECT_EQ(slice->failed().links.front(), (*slice->own({520, 7})));
}

TEST(NetworkSlice, is_none_of_other_networks) {
  for (const char* name : {"hexmesh:30", "circulant:5000:1,70", "ring:5000", "torus:2x2000"})
    EXPECT_FALSE(slice_of(parse(name), {}, 0)) << name;
}

}  // namespace
}  // namespace isotrope::io

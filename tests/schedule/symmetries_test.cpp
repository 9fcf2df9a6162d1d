// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/symmetries.hpp"

#include <set>
#include <string>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"
#include "isotrope/network/surviving_network.hpp"

namespace isotrope::schedule {
namespace {

using network::parse_named;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr const char* names[] = {"line:4",           "mesh:4x6",  "mesh:3x4",     "line:4xring:5",
                                 "ring:4xline:6",    "mesh:2x4",  "mesh:4x4@2,3", "hypercube:2xline:4",
                                 "line:4xhexmesh:2", "torus:3x4", "mesh:3x3",     "line:4xtwisted-torus:2x4"};

// By the definition: every node and link of the open network has an image, and only the identity keeps a node.
TEST(Symmetries, are_automorphisms_without_fixed_nodes) {
  for (const char* name : names) {
    const auto [network, lacks] = parse_named(name);
    const network::SurvivingNetwork open(network, lacks);
    const Symmetries symmetries(network, symmetry_axes(network, lacks));
    for (std::uint32_t i = 0; i < symmetries.size(); ++i) {
      std::set<Node> images;
      for (Node node = 0; node < network.order(); ++node) {
        images.insert(symmetries.image(i, node));
        EXPECT_EQ(symmetries.image(i, node) == node, i == 0) << name;
        for (Port port = 0; port < network.degree(); ++port) {
          const Node image = symmetries.image(i, node);
          const Port image_port = symmetries.image_of_port(i, port);
          EXPECT_EQ(network.neighbour(image, image_port), symmetries.image(i, network.neighbour(node, port)));
          EXPECT_EQ(open.carries(image, image_port), open.carries(node, port)) << name;
          EXPECT_EQ(symmetries.image_of_port(i, image_port), port) << name;
        }
      }
      EXPECT_EQ(images.size(), network.order()) << name;
    }
  }
}

TEST(Symmetries, form_a_group) {
  for (const char* name : names) {
    const auto [network, lacks] = parse_named(name);
    const Symmetries symmetries(network, symmetry_axes(network, lacks));
    const Node node = network.order() - 1;
    for (std::uint32_t i = 0; i < symmetries.size(); ++i) {
      EXPECT_EQ(symmetries.then(i, symmetries.inverse(i)), 0) << name;
      for (std::uint32_t k = 0; k < symmetries.size(); ++k)
        EXPECT_EQ(symmetries.image(symmetries.then(i, k), node),
                  symmetries.image(k, symmetries.image(i, node)));
    }
  }
}

TEST(Symmetries, lead_from_the_first_nodes_to_all) {
  for (const auto& [name, size] :
       {std::tuple("line:4xring:8", 16U), std::tuple("mesh:4x6", 4U), std::tuple("mesh:3x3", 1U),
        std::tuple("mesh:3x4x5", 2U), std::tuple("torus:3x4", 12U), std::tuple("mesh:8x8x8", 8U)}) {
    const auto [network, lacks] = parse_named(name);
    const Symmetries symmetries(network, symmetry_axes(network, lacks));
    EXPECT_EQ(symmetries.size(), size) << name;
    EXPECT_EQ(symmetries.first_nodes().size() * size, network.order()) << name;
    for (Node node = 0; node < network.order(); ++node) {
      EXPECT_EQ(symmetries.image(symmetries.to(node), symmetries.first(node)), node) << name;
      EXPECT_EQ(symmetries.first(symmetries.first(node)), symmetries.first(node)) << name;
    }
  }
}

TEST(Symmetries, need_nothing_missing_but_closing_links) {
  auto [network, lacks] = parse_named("line:4xring:8");
  EXPECT_EQ(symmetry_axes(network, lacks), (SymmetryAxes{2, 1}));
  lacks.nodes = {3};
  EXPECT_TRUE(symmetry_axes(network, lacks).empty());
}

// Port 2 leads one step along both axes, and no port one step back along axis 0 and forward along axis 1.
TEST(Symmetries, of_skewed_links_are_translations_only) {
  const auto [network, lacks] = parse_named("cayley:4x5:1,1/3,4/0,1/0,4");
  EXPECT_EQ(symmetry_axes(network, {{}, {}, {0}}), (SymmetryAxes{2, 0}));
  const auto of = [&network = network](SymmetryAxes axes) { return Symmetries(network, axes); };
  EXPECT_THAT([&] { of({0, 1}); }, ThrowsMessage<Error>(HasSubstr("without a mirror image")));
  EXPECT_THAT([&] { of({0, 2}); }, ThrowsMessage<Error>(HasSubstr("it must be even")));
  EXPECT_THAT([&] { of({4, 0}); }, ThrowsMessage<Error>(HasSubstr("give a coordinate, 0..1")));
  EXPECT_THAT([&] { of({1, 1}); }, ThrowsMessage<Error>(HasSubstr("name it once")));
}

TEST(Symmetries, refuse_tables_that_are_too_large) {
  const network::Network cube = network::parse("hypercube:20");
  const auto reflected = [&](std::uint64_t axes) { return Symmetries(cube, {0, axes}); };
  EXPECT_EQ(reflected(3).size(), 4);
  EXPECT_THAT([&] { reflected((1U << 20U) - 1); }, ThrowsMessage<Error>(HasSubstr("reflections of 20 axes")));
}

Stage one_hop() {
  Stage stage{Flow::move, Replication::none(), {{0, 3, 0, 0}, {1, 0, 2, 0}}, {}};
  stage.rounds.add({0, 0, 0});
  stage.rounds.add({1, 1, 1});
  stage.rounds.close_round();
  stage.rounds.close_round();
  return stage;
}

TEST(Symmetries, add_the_images_of_packets_and_hops) {
  const network::Network network = network::parse("ring:4");
  const Stage whole = with_images(network, one_hop(), {0, 1});
  EXPECT_THAT(whole.packets, testing::ElementsAre(Packet{0, 3, 0, 0}, Packet{3, 0, 0, 0}, Packet{1, 0, 2, 0},
                                                  Packet{2, 3, 2, 0}));
  EXPECT_THAT(whole.rounds.round(0),
              testing::ElementsAre(Hop{0, 0, 0}, Hop{1, 3, 1}, Hop{2, 1, 1}, Hop{3, 2, 0}));
  EXPECT_EQ(whole.rounds.size(), 2);
  EXPECT_TRUE(has_symmetry(network, whole));
  EXPECT_EQ(first_of_orbits(network, whole), one_hop());
}

TEST(Symmetries, refuse_more_images_than_fit) {
  const network::Network cube = network::parse("hypercube:20");
  Stage stage = one_hop();
  for (int i = 0; i < 512; ++i) stage.rounds.add({0, 0, 0});
  stage.rounds.close_round();
  EXPECT_THAT(
      [&] {
        with_images(cube, stage, {(1U << 20U) - 1, 0});
      },
      ThrowsMessage<Error>(HasSubstr("514 hops with 1048576 images each")));
}

TEST(Symmetries, notice_every_change_of_an_image) {
  const network::Network network = network::parse("ring:4");
  const Stage whole = with_images(network, one_hop(), {0, 1});
  for (std::size_t changed = 0; changed < 4; ++changed) {
    Stage stage = whole;
    stage.packets[changed].origin = (stage.packets[changed].origin + 1) % 4;
    EXPECT_FALSE(has_symmetry(network, stage)) << changed;
    stage = whole;
    stage.rounds = {};
    for (std::size_t i = 0; i < 4; ++i) {
      Hop hop = whole.rounds.round(0)[i];
      if (i == changed) hop.port = 1 - hop.port;
      stage.rounds.add(hop);
    }
    stage.rounds.close_round();
    EXPECT_FALSE(has_symmetry(network, stage)) << changed;
  }
  Stage lacks = whole;
  lacks.packets.pop_back();
  EXPECT_FALSE(has_symmetry(network, lacks));
}

}  // namespace
}  // namespace isotrope::schedule

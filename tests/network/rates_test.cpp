// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Links of unlike rates: links side by side.
#include "isotrope/network/rates.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"
#include "isotrope/network/shortest_routes.hpp"
#include "isotrope/network/surviving_network.hpp"

namespace isotrope::network {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

std::vector<Port> opposites(const Network& network) {
  std::vector<Port> result;
  for (Port port = 0; port < network.degree(); ++port) result.push_back(network.opposite(port));
  return result;
}

TEST(Rates, copy_the_ports_of_an_axis) {
  const Network network = parse("torus:3x4@2,1");
  EXPECT_THAT(network.generators(), ElementsAre(4, 4, 8, 8, 1, 3));
  EXPECT_THAT(opposites(network), ElementsAre(2, 3, 0, 1, 5, 4));
  EXPECT_THAT(port_rates(network), ElementsAre(2, 2, 2, 2, 1, 1));
}

TEST(Rates, pair_copies_of_steps_that_are_their_own_negatives) {
  const Network network = parse("hypercube:2@3");
  EXPECT_THAT(network.generators(), ElementsAre(1, 1, 1, 2, 2, 2));
  EXPECT_THAT(opposites(network), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(opposites(parse("cayley:5:1/4/1/4")), ElementsAre(1, 0, 3, 2));
  EXPECT_THAT(opposites(parse("cayley:5:4/1/1/4")), ElementsAre(1, 0, 3, 2));
}

TEST(Rates, belong_to_one_factor) {
  EXPECT_THAT(port_rates(parse_named("line:4xring:8@2").network), ElementsAre(1, 1, 2, 2, 2, 2));
  EXPECT_THAT(port_rates(parse("torus:4x2@3,2xcomplete:3@2")),
              ElementsAre(3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2));
  EXPECT_THAT(port_rates(parse("twisted-torus:2x4@1,2")), ElementsAre(1, 1, 2, 2, 2, 2));
  EXPECT_THAT(parse_named("mesh:4x3@1,2").lacks.open_axes, ElementsAre(0, 1));
}

TEST(Rates, keep_one_name_a_network) {
  const auto name = [](std::string_view text) { return parse_named(text).network.name(); };
  EXPECT_EQ(name("torus:8x8x8@2,2,1"), "torus:8x8x8@2,2,1");
  EXPECT_EQ(name("torus:4x4@2,2"), "torus:4x4@2");
  EXPECT_EQ(name("torus:4x1@2,3"), "torus:4x1@2");
  EXPECT_EQ(name("torus:4x4@1,1"), "torus:4x4");
  EXPECT_EQ(name("line:4@1xring:8@2"), "line:4xring:8@2");
  EXPECT_EQ(name("ring:1@5"), "ring:1");
  EXPECT_EQ(name("cayley:4:1/3@2"), "cayley");
  EXPECT_TRUE(same_network(parse("cayley:4:1/3@2"), parse("ring:4@2")));
  EXPECT_TRUE(same_network(parse("torus:4x4@1"), parse("torus:4x4")));
}

TEST(Rates, are_refused_with_the_reason) {
  const auto parsing = [](std::string_view name) { return [name] { parse_named(name); }; };
  for (const char* name : {"torus:8x8@0", "torus:8x8@0.5", "torus:8x8@65", "torus:8x8@", "torus:8x8@2,",
                           "ring:8@2@3", "ring:8@-1", "ring:8@x"}) {
    EXPECT_THAT(parsing(name), ThrowsMessage<Error>(HasSubstr("whole multiples, 1 to 64"))) << name;
  }
  EXPECT_THAT(parsing("torus:8x8@2,2,1"), ThrowsMessage<Error>(HasSubstr("3 rates for 2 axes")));
  EXPECT_THAT(parsing("hypercube:3@1,2,1"), ThrowsMessage<Error>(HasSubstr("give one rate for all")));
  EXPECT_THAT(parsing("twisted-torus:8,0/3,8@1,2"), ThrowsMessage<Error>(HasSubstr("have no axes")));
  EXPECT_THAT(parsing("@2"), ThrowsMessage<Error>(HasSubstr("unknown network family")));
  EXPECT_THAT(parsing("complete:60000@2"), ThrowsMessage<Error>(HasSubstr("65535 ports")));
}

// Copies change neither distances nor the other network.
TEST(Rates, leave_the_network_without_copies) {
  for (const char* name : {"torus:3x4@2,1", "hypercube:3@2", "circulant:13:1,5@3", "ring:6@2xcomplete:3",
                           "hexmesh:3@2", "twisted-torus:2x4@1,2"}) {
    const Network network = parse(name);
    const auto [simple, copies] = without_copies(network);
    ASSERT_TRUE(has_copies(network)) << name;
    EXPECT_FALSE(has_copies(simple)) << name;
    EXPECT_EQ(simple.distance_counts(), network.distance_counts()) << name;
    EXPECT_EQ(SurvivingNetwork(network, {}).distances(0), SurvivingNetwork(simple, {}).distances(0)) << name;
    Port ports = 0;
    for (Port port = 0; port < simple.degree(); ++port) {
      for (const Port copy : copies[port]) EXPECT_EQ(network.generators()[copy], simple.generators()[port]);
      ports += static_cast<Port>(copies[port].size());
    }
    EXPECT_EQ(ports, network.degree()) << name;
  }
}

// The ports of any rates: as many as their sum, and every one led back by its opposite.
TEST(Rates, hold_for_any_torus) {
  EXPECT_TRUE(rc::check("torus with rates", [] {
    const auto extents = *rc::gen::container<std::vector<Coordinate>>(3, rc::gen::inRange<Coordinate>(1, 5));
    const auto rates =
        *rc::gen::container<std::vector<std::uint32_t>>(3, rc::gen::inRange<std::uint32_t>(1, 5));
    std::string name = "torus:", suffix = "@";
    Port degree = 0;
    for (std::size_t i = 0; i < extents.size(); ++i) {
      name += (i == 0 ? "" : "x") + std::to_string(extents[i]);
      suffix += (i == 0 ? "" : ",") + std::to_string(rates[i]);
      degree += (extents[i] > 2 ? 2 : extents[i] - 1) * rates[i];
    }
    const Network network = parse(name + suffix);
    RC_ASSERT(network.degree() == degree);
    RC_ASSERT(same_network(parse(network.name()), network));
    for (Port port = 0; port < degree; ++port) {
      RC_ASSERT(network.opposite(network.opposite(port)) == port);
      RC_ASSERT(network.neighbour(network.neighbour(0, port), network.opposite(port)) == 0U);
    }
  }));
}

TEST(Rates, count_routes_once) {
  EXPECT_EQ(count_shortest_routes(parse("torus:4x4@2,3"), 0, 10),
            count_shortest_routes(parse("torus:4x4"), 0, 10));
}

TEST(Rates, fail_together_by_nodes_and_one_by_one_by_ports) {
  const Network network = parse("ring:4@3");
  EXPECT_THAT(parse_failed_links("0-1", network), ElementsAre(Link{0, 0}, Link{0, 1}, Link{0, 2}));
  EXPECT_THAT(parse_failed_links("0:1", network), ElementsAre(Link{0, 1}));
  EXPECT_THAT([&] { parse_failed_links("0-1,1:4", network); },
              ThrowsMessage<Error>(HasSubstr("named twice")));
  EXPECT_EQ(SurvivingNetwork(network, {{}, parse_failed_links("0:1", network)}).links(), 11U);
  EXPECT_EQ(SurvivingNetwork(network, {{}, parse_failed_links("0-1", network)}).links(), 9U);
}

TEST(Rates, are_missing_as_a_whole_where_an_axis_is_open) {
  const auto [network, lacks] = parse_named("line:4@3");
  const SurvivingNetwork line(network, lacks);
  EXPECT_EQ(line.links(), 9U);
  EXPECT_EQ(line.degree(0), 3U);
  EXPECT_THAT(line.cut_off(0), IsEmpty());
}

}  // namespace
}  // namespace isotrope::network

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/parse.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/cayley.hpp"
#include "isotrope/network/complete.hpp"
#include "isotrope/network/hexmesh.hpp"
#include "isotrope/network/hypercube.hpp"
#include "isotrope/network/torus.hpp"
#include "isotrope/network/twisted_torus.hpp"

namespace isotrope::network {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Parse, reads_every_family) {
  const auto expect_same = [](std::string_view name, const Network& expected) {
    const Network network = parse(name);
    EXPECT_TRUE(same_network(network, expected)) << name;
    EXPECT_EQ(network.name(), expected.name());
  };

  expect_same("hypercube:6", hypercube(6));
  expect_same("torus:4x4x8", torus({4, 4, 8}));
  expect_same("torus:1", torus({1}));
  expect_same("ring:9", ring(9));
  expect_same("ring:1", ring(1));
  expect_same("hexmesh:4", hexmesh(4));
  expect_same("twisted-torus:4x4x8", twisted_torus({4, 4, 8}));
  expect_same("twisted-torus:8,0/3,8", lattice_torus({{8, 0}, {3, 8}}));
  expect_same("circulant:13:1,5", circulant(13, std::vector<Coordinate>{1, 5}));
  expect_same("complete:8", complete(8));
  expect_same("complete:1", complete(1));
  expect_same("cayley:4x6:1,0/3,0/0,1/0,5", cayley({4, 6}, {{1, 0}, {3, 0}, {0, 1}, {0, 5}}));
}

TEST(Parse, refuses_with_the_reason) {
  struct Case {
    std::string_view name, reason;
  };
  const std::vector<Case> cases{
      {"", "unknown network family '' in '': known are hypercube, torus, ring"},
      {"tours:4x4", "did you mean torus?"},
      {"hyper:4", "did you mean hypercube?"},
      {"Torus:4x4", "did you mean torus?"},
      {"grid:4x4", "unknown network family 'grid'"},
      {"4x4", "unknown network family '4x4'"},
      {"torus", "network 'torus': its parameters are missing; write, for example, torus:4x4x8"},
      {"torus:", "its parameters are missing"},
      {"hypercube:", "write, for example, hypercube:6"},
      {"cayley", "write, for example, cayley:4x6:1,0/3,0/0,1/0,5"},
      {"torus:4x4x", "'' is not a whole number from 0 to 67108864"},
      {"torus:x4", "'' is not a whole number"},
      {"torus:4,4", "'4,4' is not a whole number"},
      {"torus:4x+4", "'+4' is not a whole number"},
      {"torus:4x-4", "'-4' is not a whole number"},
      {"torus:4 x4", "'4 ' is not a whole number"},
      {"torus:4:4", "'4:4' is not a whole number"},
      {"torus:4x6x8m",
       "67108864; an axis that is open is a line, as in torus:4x6xline:8; write, for example, torus:"},
      {"torus:99999999999", "'99999999999' is not a whole number from 0 to 67108864"},
      {"torus:99999999999999999999999", "is not a whole number from 0 to 67108864"},
      {"torus:4x0", "modulus 0"},
      {"torus:100000x100000", "more than 2^26"},
      {"ring:0", "modulus 0"},
      {"ring:4x4", "'4x4' is not a whole number"},
      {"hypercube:0", "d = 0: a hypercube has 1 to 26 dimensions"},
      {"hypercube:27", "d = 27: a hypercube has 1 to 26 dimensions"},
      {"hypercube:6.0", "'6.0' is not a whole number"},
      {"hexmesh:1", "n = 1: a hexagonal mesh has size 2 to 4730"},
      {"hexmesh:67108864", "n = 67108864: a hexagonal mesh"},
      {"twisted-torus:4x4", "extents k and 2k"},
      {"twisted-torus:4", "extents k and 2k"},
      {"twisted-torus:8,0/3", "give 2 rows of 2 entries each"},
      {"twisted-torus:8,0/-3,8", "'-3' is not a whole number"},
      {"twisted-torus:8,0/", "'' is not a whole number"},
      {"twisted-torus:2,4/1,2", "dependent"},
      {"circulant:13", "1 parameters instead of 2; write, for example, circulant:13:1,5"},
      {"circulant:13:1:5", "3 parameters instead of 2"},
      {"circulant:13:", "'' is not a whole number"},
      {"circulant:0:1", "modulus 0"},
      {"circulant:13:1,13", "leads from every node to itself"},
      {"complete:0", "N = 0"},
      {"complete:70000", "N = 70000: a complete network has 1 to 65536 nodes"},
      {"cayley:4x6", "1 parameters instead of 2"},
      {"cayley:4x6:1,0/3", "one per modulus"},
      {"cayley:4x6:1,0", "generator (1,0) is given without its negative (3,0)"},
  };

  for (const Case& bad : cases) {
    EXPECT_THAT([&] { parse(bad.name); }, ThrowsMessage<Error>(HasSubstr(std::string(bad.reason))))
        << bad.name;
  }
}

// Every text gives a network or an Error, never anything else.
TEST(Parse, survives_any_text) {
  EXPECT_TRUE(rc::check("mutilated names", [] {
    const auto family = *rc::gen::elementOf(
        std::vector<std::string>{"hypercube:", "torus:", "ring:", "hexmesh:", "twisted-torus:", "circulant:",
                                 "complete:", "cayley:", ""});
    const auto rest = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("0123479x,/:-@ ")));
    try {
      RC_ASSERT(parse(family + rest).order() >= 1u);
    } catch (const Error& error) {
      RC_ASSERT(std::string_view(error.what()).size() > 0u);
    }
  }));
}

TEST(NameWithRates, gives_rates_to_the_factors_of_a_product) {
  const struct {
    const char* name;
    std::vector<std::uint32_t> by_axis;
    const char* rated;
  } cases[] = {{"line:4xring:8", {1, 2}, "line:4xring:8@2"},
               {"mesh:3x4", {2, 1}, "mesh:3x4@2,1"},
               {"torus:4x4", {3, 3}, "torus:4x4@3"},
               {"ring:9", {1}, "ring:9"},
               {"mesh:2x3xcomplete:5xhypercube:2", {4, 2, 1, 3, 3}, "mesh:2x3@4,2xcomplete:5xhypercube:2@3"}};
  for (const auto& [name, by_axis, rated] : cases) {
    EXPECT_EQ(name_with_rates(name, by_axis), rated);
    EXPECT_EQ(parse_named(rated).network.name(), rated);
  }
}

}  // namespace
}  // namespace isotrope::network

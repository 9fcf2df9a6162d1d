// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/parity.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::network {
namespace {

TEST(Parities, of_coordinates_with_even_moduli) {
  const Network torus = parse("torus:4x5");
  EXPECT_EQ(parities(torus.group())[7], 1);  // (1,2)
  EXPECT_EQ(parities(torus.group())[8], 1);  // (1,3)
  EXPECT_EQ(parities(parse("torus:4x4").group())[7], 0);
}

TEST(Parities, are_a_homomorphism) {
  for (const char* name : {"ring:7", "ring:8", "torus:4x5", "torus:3x4x6", "hypercube:5",
                           "twisted-torus:2x2x4", "hexmesh:3", "circulant:24:1,5,12"}) {
    const Network network = parse(name);
    const auto parity = parities(network.group());
    for (Node a = 0; a < network.order(); ++a) {
      for (Node b = 0; b < network.order(); ++b)
        ASSERT_EQ(parity[network.group().add(a, b)], parity[a] ^ parity[b]) << name;
    }
    const auto odd = static_cast<Node>(std::ranges::count(parity, 1));
    EXPECT_EQ(odd, network.order() % 2 == 0 ? network.order() / 2 : 0) << name;
  }
}

}  // namespace
}  // namespace isotrope::network

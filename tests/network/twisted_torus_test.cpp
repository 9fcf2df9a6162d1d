// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/twisted_torus.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/cayley.hpp"

#include "tests/network/reference.hpp"

namespace isotrope::network {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

using Extents = std::vector<Coordinate>;

const std::vector<Extents> shapes{
    {2, 4},    {4, 2},    {3, 6},    {5, 10},      {2, 2, 4},    {3, 3, 6},    {4, 4, 8},    {4, 8, 4},
    {2, 4, 4}, {3, 6, 6}, {4, 8, 8}, {2, 2, 2, 4}, {2, 4, 2, 4}, {3, 3, 6, 6}, {2, 4, 4, 4}, {3, 6, 3, 3}};

// The box with its wraps, as the definition says: crossing the end of an extent k shifts by k along every 2k.
struct Box {
  Extents extents;
  Coordinate k;

  explicit Box(const Extents& e) : extents(e), k(std::ranges::min(e)) {}

  Extents step(Extents at, std::size_t axis, bool up) const {
    const bool crosses = at[axis] == (up ? extents[axis] - 1 : 0);
    at[axis] = (at[axis] + (up ? 1 : extents[axis] - 1)) % extents[axis];
    for (std::size_t i = 0; i < extents.size(); ++i) {
      if (crosses && extents[axis] == k && extents[i] != k) at[i] = (at[i] + k) % (2 * k);
    }
    return at;
  }

  // The group element of a position, as the header states it.
  Extents element(const Extents& at) const {
    Coordinate sum = 0;
    for (std::size_t i = 0; i < extents.size(); ++i) sum += extents[i] == k ? at[i] : 0;
    Extents result = at;
    for (std::size_t i = 0; i < extents.size(); ++i) {
      if (extents[i] != k) result[i] = (at[i] + 2 * k * sum - sum) % (2 * k);
    }
    return result;
  }
};

TEST(TwistedTorus, two_by_four_by_hand) {
  const Network network = twisted_torus({2, 4});

  EXPECT_EQ(network.name(), "twisted-torus:2x4");
  EXPECT_THAT(network.generators(), ElementsAre(7, 5, 1, 3));  // (1,3), (1,1), (0,1), (0,3)
  // K_4,4: even and odd sums of box coordinates, every two of different parity joined.
  EXPECT_THAT(network.distance_counts(), ElementsAre(1, 4, 3));
}

TEST(TwistedTorus, is_the_wrapped_box) {
  for (const Extents& extents : shapes) {
    const Box box(extents);
    const Network network = twisted_torus(extents);
    const Group positions(extents);
    std::vector<bool> reached(network.order(), false);

    ASSERT_EQ(network.degree(), 2 * extents.size());
    for (Node position = 0; position < positions.order(); ++position) {
      const Extents at = positions.coordinates(position);
      const Node node = network.group().number(box.element(at));
      reached[node] = true;
      for (Port port = 0; port < network.degree(); ++port) {
        const Extents next = box.step(at, port / 2, port % 2 == 0);
        ASSERT_EQ(network.neighbour(node, port), network.group().number(box.element(next))) << network.name();
      }
    }
    EXPECT_EQ(std::ranges::count(reached, true), network.order());
  }
}

TEST(TwistedTorus, distances_are_exact) {
  for (const Extents& extents : shapes) expect_exact_metric(twisted_torus(extents));
  expect_exact_metric(twisted_torus({1, 2, 2}));
  expect_exact_metric(twisted_torus({9, 18}));
  expect_exact_metric(twisted_torus({7, 14, 14}));
}

TEST(TwistedTorus, is_the_lattice_torus_of_its_wraps) {
  for (const Extents& extents : shapes) {
    const Coordinate k = std::ranges::min(extents);
    std::vector<std::vector<std::int64_t>> basis;
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
      std::vector<std::int64_t>& row = basis.emplace_back(extents.size(), 0);
      for (std::size_t i = 0; i < extents.size(); ++i) row[i] = extents[axis] == k && extents[i] != k ? k : 0;
      row[axis] = extents[axis];
    }
    const Network lattice = lattice_torus(basis), twisted = twisted_torus(extents);

    EXPECT_EQ(lattice.order(), twisted.order());
    EXPECT_EQ(lattice.degree(), twisted.degree());
    EXPECT_EQ(lattice.distance_counts(), twisted.distance_counts()) << twisted.name();
  }
}

// Camarero, Martinez, Beivide: with sides k the face- and the body-centred cubic torus have diameter 3k/2.
TEST(TwistedTorus, cubic_lattices_have_the_published_diameter) {
  for (Coordinate k = 2; k <= 12; ++k) {
    EXPECT_EQ(twisted_torus({k, k, 2 * k}).diameter(), 3 * k / 2);
    EXPECT_EQ(twisted_torus({k, 2 * k, 2 * k}).diameter(), 3 * k / 2);
    EXPECT_EQ(twisted_torus({k, 2 * k}).diameter(), k);
  }
}

TEST(TwistedTorus, coinciding_ports_are_one) {
  const Network network = twisted_torus({1, 2, 2});  // the complete network of four nodes

  EXPECT_EQ(network.degree(), 3);
  EXPECT_THAT(network.distance_counts(), ElementsAre(1, 3));
}

TEST(TwistedTorus, refuses_other_extents) {
  for (const Extents& bad : {Extents{4, 4}, {4}, {4, 8, 16}, {3, 5}, {0, 0}, {0, 4}, {4, 7}, {4, 6, 8}}) {
    EXPECT_THAT([&] { twisted_torus(bad); },
                ThrowsMessage<Error>(HasSubstr("extents k and 2k, at least one of each")));
  }
  EXPECT_THAT([] { twisted_torus({}); }, ThrowsMessage<Error>(HasSubstr("at least one of each")));
  EXPECT_THAT(
      [] {
        twisted_torus({1, 2});
      },
      ThrowsMessage<Error>(HasSubstr("axis 2 = (0,1) leads to the same")));
  EXPECT_THAT([] { twisted_torus({8192, 16384}); }, ThrowsMessage<Error>(HasSubstr("more than 2^26")));
  EXPECT_THAT([] { twisted_torus({1u << 31, 0}); }, ThrowsMessage<Error>(HasSubstr("extents k and 2k")));
}

}  // namespace
}  // namespace isotrope::network

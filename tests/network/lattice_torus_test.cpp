// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/cayley.hpp"
#include "isotrope/network/torus.hpp"

#include "tests/network/reference.hpp"

namespace isotrope::network {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

using Matrix = std::vector<std::vector<std::int64_t>>;

TEST(LatticeTorus, twisted_ring_by_hand) {
  // Z^2 modulo (5,0), (2,1) is Z_5, where the second axis walks -2 = 3: the complete network.
  const Network network = lattice_torus({{5, 0}, {2, 1}});

  EXPECT_EQ(network.name(), "cayley");
  EXPECT_EQ(network.order(), 5);
  EXPECT_THAT(network.distance_counts(), ElementsAre(1, 4));
  EXPECT_EQ(network.opposite(2), 3);
}

TEST(LatticeTorus, diagonal_basis_is_the_plain_torus) {
  EXPECT_TRUE(rc::check("same counts", [] {
    const auto extents = *rc::gen::container<std::vector<Coordinate>>(3, rc::gen::inRange<Coordinate>(2, 8));
    const Network lattice = lattice_torus({{extents[0], 0, 0}, {0, extents[1], 0}, {0, 0, extents[2]}});
    const Network plain = torus(extents);
    RC_ASSERT(lattice.degree() == plain.degree());
    RC_ASSERT(lattice.distance_counts() == plain.distance_counts());
  }));
}

TEST(LatticeTorus, walking_a_basis_row_leads_back) {
  const Matrix basis{{8, 0}, {3, 8}};
  const Network network = lattice_torus(basis);

  EXPECT_EQ(network.order(), 64);
  for (const auto& row : basis) {
    Node node = 17;
    for (Port axis = 0; axis < 2; ++axis) {
      for (std::int64_t i = 0; i < row[axis]; ++i) node = network.neighbour(node, 2 * axis);
    }
    EXPECT_EQ(node, 17);
  }
  expect_exact_metric(network);
}

TEST(LatticeTorus, refuses_axes_that_coincide_or_lead_nowhere) {
  const auto lattice = [](Matrix basis) { return [=] { lattice_torus(basis); }; };

  EXPECT_THAT(lattice({{1, 0}, {0, 5}}),
              ThrowsMessage<Error>(HasSubstr("axis 1 = (0) leads from every node")));
  EXPECT_THAT(lattice({{1}}), ThrowsMessage<Error>(HasSubstr("axis 1 = (0) leads from every node")));
  EXPECT_THAT(lattice({{5, 0}, {1, 1}}), ThrowsMessage<Error>(HasSubstr("leads to the same neighbours as")));
  EXPECT_THAT(lattice({{5, 0}, {10, 0}}), ThrowsMessage<Error>(HasSubstr("dependent")));
}

}  // namespace
}  // namespace isotrope::network

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/lattice_quotient.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/subgroup.hpp"

namespace isotrope::network {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::ThrowsMessage;

using Matrix = std::vector<std::vector<std::int64_t>>;

// By expansion along the first row.
std::int64_t determinant(const Matrix& m) {
  if (m.empty()) return 1;
  std::int64_t sum = 0, sign = 1;
  for (std::size_t column = 0; column < m.size(); ++column, sign = -sign) {
    Matrix minor(m.begin() + 1, m.end());
    for (auto& row : minor) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
    sum += sign * m[0][column] * determinant(minor);
  }
  return sum;
}

Node multiple(const Group& group, std::int64_t factor, Node element) {
  Node sum = 0;
  for (std::int64_t i = 0; i < std::abs(factor); ++i) sum = group.add(sum, element);
  return factor < 0 ? group.negate(sum) : sum;
}

TEST(LatticeQuotient, small_lattices_by_hand) {
  const auto moduli = [](const Matrix& basis) {
    const LatticeQuotient quotient = lattice_quotient(basis);
    return std::vector<Coordinate>(quotient.group.moduli().begin(), quotient.group.moduli().end());
  };

  EXPECT_THAT(moduli({{4, 0}, {0, 4}}), ElementsAre(4, 4));
  EXPECT_THAT(moduli({{8, 0}, {0, 4}}), ElementsAre(4, 8));
  EXPECT_THAT(moduli({{2, 0}, {0, 3}}), ElementsAre(6));
  EXPECT_THAT(moduli({{2, 2}, {0, 4}}), ElementsAre(2, 4));
  EXPECT_THAT(moduli({{8, 0}, {3, 8}}), ElementsAre(64));
  EXPECT_THAT(moduli({{0, -1}, {1, 0}}), ElementsAre(1));
  EXPECT_THAT(lattice_quotient({{7}}).unit_vectors, ElementsAre(1));
}

// The map of Z^r onto the group has the lattice in its kernel and as many values as the lattice has cosets,
// so it is the quotient map.
TEST(LatticeQuotient, is_the_quotient) {
  EXPECT_TRUE(rc::check("any small basis", [] {
    const auto rank = *rc::gen::inRange<std::size_t>(1, 5);
    const auto row =
        rc::gen::container<std::vector<std::int64_t>>(rank, rc::gen::inRange<std::int64_t>(-9, 10));
    const Matrix basis = *rc::gen::container<Matrix>(rank, row);
    const std::int64_t order = std::abs(determinant(basis));
    RC_PRE(order != 0);
    const LatticeQuotient quotient = lattice_quotient(basis);
    const Group& group = quotient.group;

    RC_ASSERT(group.order() == static_cast<Node>(order));
    RC_ASSERT(subgroup_index(group, quotient.unit_vectors) == 1u);
    for (const auto& vector : basis) {
      Node image = 0;
      for (std::size_t i = 0; i < rank; ++i) {
        image = group.add(image, multiple(group, vector[i], quotient.unit_vectors[i]));
      }
      RC_ASSERT(image == 0u);
    }
    for (std::size_t i = 1; i < group.rank(); ++i) RC_ASSERT(group.moduli()[i] % group.moduli()[i - 1] == 0u);
  }));
}

TEST(LatticeQuotient, long_vectors_of_small_determinant_are_fine) {
  const std::int64_t far = std::int64_t{1} << 30;

  EXPECT_EQ(lattice_quotient({{5, 0}, {far, 1}}).group.order(), 5);
  EXPECT_EQ(lattice_quotient({{far + 1, far}, {far, far - 1}}).group.order(), 1);
}

TEST(LatticeQuotient, largest_rank) {
  Matrix basis(64, std::vector<std::int64_t>(64, 0));
  for (std::size_t i = 0; i < 64; ++i) basis[i][63 - i] = i < 26 ? -2 : 1;
  const LatticeQuotient quotient = lattice_quotient(basis);

  EXPECT_THAT(quotient.group.moduli(), SizeIs(26));
  EXPECT_THAT(quotient.group.moduli(), Each(2));
}

TEST(LatticeQuotient, refuses_what_is_no_basis) {
  const auto quotient = [](Matrix basis) { return [=] { lattice_quotient(basis); }; };
  const std::int64_t far = std::int64_t{1} << 40;

  EXPECT_THAT(quotient({}), ThrowsMessage<Error>(HasSubstr("0 basis rows: give 1 to 64")));
  EXPECT_THAT(quotient({{8, 0}, {3}}),
              ThrowsMessage<Error>(HasSubstr("row 3 has 1 entries: give 2 rows of 2")));
  EXPECT_THAT(quotient({{2, 4}, {1, 2}}), ThrowsMessage<Error>(HasSubstr("dependent")));
  EXPECT_THAT(quotient({{0, 0}, {0, 0}}), ThrowsMessage<Error>(HasSubstr("dependent")));
  EXPECT_THAT(quotient({{8192, 1}, {1, 8193}}), ThrowsMessage<Error>(HasSubstr("determinant 67117055")));
  EXPECT_THAT(quotient({{INT64_MIN}}), ThrowsMessage<Error>(HasSubstr("too large")));
  EXPECT_THAT(quotient({{far, 1}, {1, far}}), ThrowsMessage<Error>(HasSubstr("too large")));
}

}  // namespace
}  // namespace isotrope::network

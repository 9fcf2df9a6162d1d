// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/group.hpp"

#include <algorithm>
#include <functional>
#include <type_traits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "isotrope/base/error.hpp"

namespace isotrope::network {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

using Coordinates = std::vector<Coordinate>;

// The longest beginning of `moduli` that a group may have.
Coordinates fitting(Coordinates moduli) {
  std::uint64_t order = 1;
  std::size_t kept = 0;
  moduli.resize(std::min<std::size_t>(moduli.size(), 64));
  while (kept < moduli.size() && order * moduli[kept] <= largest_order) order *= moduli[kept++];
  moduli.resize(kept);
  if (moduli.empty()) moduli.push_back(1);
  return moduli;
}

// Moduli of any group, with binary and cyclic groups (and moduli of 1 among theirs) as frequent as others.
rc::Gen<Coordinates> any_moduli() {
  const auto from = [](Coordinate least, Coordinate end) {
    return rc::gen::container<Coordinates>(rc::gen::inRange(least, end));
  };
  const auto cyclic = rc::gen::map(rc::gen::inRange<Coordinate>(3, largest_order + 1), [](Coordinate m) {
    return Coordinates{1, m, 1};
  });
  return rc::gen::map(rc::gen::oneOf(from(1, 3), cyclic, from(1, 12), from(1, 5000)), fitting);
}

// Coordinate by coordinate, the definition.
template <class Operation>
Node by_coordinates(const Group& group, Node a, Node b, Operation operation) {
  Coordinates result;
  for (std::size_t axis = 0; axis < group.rank(); ++axis) {
    const std::uint64_t m = group.moduli()[axis];
    const std::uint64_t x = group.coordinate(a, axis), y = group.coordinate(b, axis);
    result.push_back(static_cast<Coordinate>((operation(x + m, y)) % m));
  }
  return group.number(result);
}

TEST(Group, numbers_are_row_major) {
  const Group group({2, 3});

  EXPECT_EQ(group.order(), 6);
  EXPECT_EQ(group.rank(), 2);
  EXPECT_THAT(group.coordinates(5), ElementsAre(1, 2));
  EXPECT_EQ(group.number(Coordinates{1, 0}), 3);
  EXPECT_EQ(group.add(4, 5), 0);       // (1,1) + (1,2) = (0,0)
  EXPECT_EQ(group.subtract(0, 4), 5);  // -(1,1) = (1,2)
  EXPECT_EQ(group.negate(3), 3);
}

TEST(Group, chooses_the_cheapest_arithmetic) {
  const auto holds = []<class Expected>(Coordinates moduli, std::type_identity<Expected>) {
    return Group(std::move(moduli)).visit([](const auto& group) {
      return std::is_same_v<std::decay_t<decltype(group)>, Expected>;
    });
  };

  EXPECT_TRUE(holds({2, 1, 2}, std::type_identity<BitGroup>()));
  EXPECT_TRUE(holds({1}, std::type_identity<BitGroup>()));
  EXPECT_TRUE(holds({8, 2, 16}, std::type_identity<BitGroup>()));
  EXPECT_TRUE(holds({1, 9}, std::type_identity<CyclicGroup>()));
  EXPECT_TRUE(holds({2, 9}, std::type_identity<ProductGroup>()));
}

TEST(Group, arithmetic_is_coordinatewise) {
  EXPECT_TRUE(rc::check("every concrete group against the definition", [] {
    const Group group(*any_moduli());
    const Node a = *rc::gen::inRange<Node>(0, group.order());
    const Node b = *rc::gen::inRange<Node>(0, group.order());
    RC_ASSERT(group.add(a, b) == by_coordinates(group, a, b, std::plus<>()));
    RC_ASSERT(group.subtract(a, b) == by_coordinates(group, a, b, std::minus<>()));
    RC_ASSERT(group.negate(a) == by_coordinates(group, 0, a, std::minus<>()));
    group.visit([&](const auto& concrete) { RC_ASSERT(concrete.order() == group.order()); });
  }));
}

TEST(Group, coordinates_of_bits_carry_nothing_into_each_other) {
  for (const Coordinates& moduli : {Coordinates{4, 1, 8, 2}, {2, 2, 2}, {16}, {8, 8}, {1, 2, 1, 32}}) {
    const Group group(moduli);
    for (Node a = 0; a < group.order(); ++a) {
      ASSERT_EQ(group.negate(a), by_coordinates(group, 0, a, std::minus<>())) << a;
      for (Node b = 0; b < group.order(); ++b) {
        ASSERT_EQ(group.add(a, b), by_coordinates(group, a, b, std::plus<>())) << a << " + " << b;
        ASSERT_EQ(group.subtract(a, b), by_coordinates(group, a, b, std::minus<>())) << a << " - " << b;
      }
    }
  }
}

TEST(Group, laws_of_an_abelian_group_hold) {
  EXPECT_TRUE(rc::check("associative, commutative, identity, inverse", [] {
    const Group group(*any_moduli());
    const auto element = rc::gen::inRange<Node>(0, group.order());
    const Node a = *element, b = *element, c = *element;
    RC_ASSERT(group.add(group.add(a, b), c) == group.add(a, group.add(b, c)));
    RC_ASSERT(group.add(a, b) == group.add(b, a));
    RC_ASSERT(group.add(a, 0) == a);
    RC_ASSERT(group.add(a, group.negate(a)) == 0u);
    RC_ASSERT(group.add(group.subtract(a, b), b) == a);
  }));
}

TEST(Group, coordinates_and_numbers_are_inverse) {
  EXPECT_TRUE(rc::check("round trip", [] {
    const Group group(*any_moduli());
    const Node node = *rc::gen::inRange<Node>(0, group.order());
    RC_ASSERT(group.number(group.coordinates(node)) == node);
  }));
}

TEST(Group, refuses_bad_moduli_and_coordinates) {
  const Group group({4, 6});

  EXPECT_THAT([] { Group({}); }, ThrowsMessage<Error>(HasSubstr("give 1 to 64 moduli")));
  EXPECT_THAT([] { Group(Coordinates(65, 1)); }, ThrowsMessage<Error>(HasSubstr("group of 65 moduli")));
  EXPECT_THAT([] { Group({4, 0}); }, ThrowsMessage<Error>(HasSubstr("modulus 0")));
  EXPECT_THAT([] { Group({8192, 8193}); }, ThrowsMessage<Error>(HasSubstr("more than 2^26")));
  EXPECT_THAT([] { Group({UINT32_MAX, UINT32_MAX, UINT32_MAX}); }, ThrowsMessage<Error>(HasSubstr("2^26")));
  EXPECT_THAT([&] { group.number(Coordinates{1}); }, ThrowsMessage<Error>(HasSubstr("one per modulus")));
  EXPECT_THAT([&] { group.number(Coordinates{1, 6}); }, ThrowsMessage<Error>(HasSubstr("outside 0..5")));
}

}  // namespace
}  // namespace isotrope::network

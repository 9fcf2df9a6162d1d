// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/subgroup.hpp"

#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "isotrope/network/listed_subgroup.hpp"

namespace isotrope::network {
namespace {

// The order of the generated subgroup, by collecting all sums.
Node collected_order(const Group& group, const std::vector<Node>& elements) {
  std::vector<bool> reached(group.order(), false);
  std::vector<Node> sums{0};
  reached[0] = true;
  for (std::size_t head = 0; head < sums.size(); ++head) {
    for (Node element : elements) {
      const Node sum = group.add(sums[head], element);
      if (reached[sum]) continue;
      reached[sum] = true;
      sums.push_back(sum);
    }
  }
  return static_cast<Node>(sums.size());
}

TEST(Subgroup, index_of_small_subgroups) {
  const Group group({4, 6});
  const auto index = [&](std::vector<Node> elements) { return subgroup_index(group, elements); };

  EXPECT_EQ(index({}), 24);
  EXPECT_EQ(index({12}), 12);    // (2,0) has order 2
  EXPECT_EQ(index({12, 1}), 2);  // (2,0), (0,1)
  EXPECT_EQ(index({7}), 2);      // (1,1) has order 12
  EXPECT_EQ(index({6, 1}), 1);   // (1,0), (0,1)
  EXPECT_EQ(index({8, 15}), 1);  // (1,2), (2,3): orders 12 and 2, and (2,3) is no multiple of (1,2)
  EXPECT_EQ(subgroup_index(Group({1}), {}), 1);
}

TEST(Subgroup, index_is_that_of_the_collected_sums) {
  EXPECT_TRUE(rc::check("against the closure", [] {
    const auto rank = *rc::gen::inRange<std::size_t>(1, 5);
    const Group group(*rc::gen::container<std::vector<Coordinate>>(rank, rc::gen::inRange<Coordinate>(1, 9)));
    const auto elements = *rc::gen::container<std::vector<Node>>(rc::gen::inRange<Node>(0, group.order()));
    RC_ASSERT(subgroup_index(group, elements) == group.order() / collected_order(group, elements));
  }));
}

TEST(Subgroup, largest_groups_need_no_enumeration) {
  const Group cyclic({1u << 26}), binary(std::vector<Coordinate>(26, 2)), square({8192, 8192});

  EXPECT_EQ(subgroup_index(cyclic, std::vector<Node>{2, (1u << 26) - 2}), 2);
  EXPECT_EQ(subgroup_index(cyclic, std::vector<Node>{6, 35}), 1);
  EXPECT_EQ(subgroup_index(binary, std::vector<Node>{3, 5, 6}), 1u << 24);  // 3 + 5 = 6
  EXPECT_EQ(subgroup_index(square, std::vector<Node>{8193, 1}), 1);
}

// As many elements as the index says, closed under addition.
TEST(ListedSubgroup, has_the_order_that_the_index_tells) {
  for (const Group& group : {Group({12}), Group({4, 6}), Group({2, 2, 3}), Group({7})}) {
    for (Node a = 0; a < group.order(); ++a) {
      for (Node b = 0; b < group.order(); ++b) {
        ListedSubgroup subgroup(group);
        subgroup.add(a);
        subgroup.add(b);
        const std::vector<Node> generators{a, b};
        EXPECT_EQ(subgroup.elements().size() * subgroup_index(group, generators), group.order());
        for (const Node element : subgroup.elements()) EXPECT_TRUE(subgroup.has(group.add(element, b)));
      }
    }
  }
}

}  // namespace
}  // namespace isotrope::network

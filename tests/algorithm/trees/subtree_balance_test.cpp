// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/subtree_balance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using testing::ElementsAre;

// torus:3x3 from node 0: the tops of the subtrees 0..3 are the nodes 3, 6, 1, 2. The corners can hang in
//
//     4: 0 or 2    5: 0 or 3    7: 1 or 2    8: 1 or 3
class BalanceOnTorus : public testing::Test {
 protected:
  // Hangs the corners 4, 5, 7, 8 and evens `loads`.
  void even(const std::vector<Port>& corners) {
    subtrees_ = {4, 2, 3, 0, corners[0], corners[1], 1, corners[2], corners[3]};
    SubtreeBalance(torus_, layers_, subtrees_, loads_).even(layers_.nodes());
  }

  Network torus_ = network::parse("torus:3x3");
  Layers layers_{torus_, 0};
  std::vector<Port> subtrees_;
  std::vector<std::uint64_t> loads_;
};

TEST_F(BalanceOnTorus, moves_nodes_to_smaller_subtrees) {
  loads_ = {3, 3, 1, 1};
  even({0, 0, 1, 1});
  EXPECT_THAT(loads_, ElementsAre(2, 2, 2, 2));
}

// Sizes 2, 2, 2, 2 and constants 2, 0, 1, 1: node 4 leaves subtree 0 for subtree 2, which is no smaller by
// two, so node 7 leaves that one for subtree 1.
TEST_F(BalanceOnTorus, moves_nodes_along_a_chain) {
  loads_ = {4, 2, 3, 3};
  even({0, 3, 2, 1});
  EXPECT_THAT(loads_, ElementsAre(3, 3, 3, 3));
  EXPECT_THAT(subtrees_, ElementsAre(4, 2, 3, 0, 2, 3, 1, 1, 1));
}

TEST_F(BalanceOnTorus, stops_where_no_node_is_left_to_move) {
  loads_ = {9, 1, 2, 2};
  even({2, 3, 1, 1});
  EXPECT_EQ(loads_[0], 9U);
}

// On a ring no node has a choice.
TEST(SubtreeBalance, leaves_a_ring_alone) {
  const Network ring = network::parse("ring:6");
  const Layers layers(ring, 0);
  std::vector<Port> subtrees{2, 0, 0, 0, 1, 1};
  std::vector<std::uint64_t> loads{13, 2};
  SubtreeBalance(ring, layers, subtrees, loads).even(layers.nodes());
  EXPECT_THAT(loads, ElementsAre(12, 3));  // but for the node opposite the root
  EXPECT_THAT(subtrees, ElementsAre(2, 0, 0, 1, 1, 1));
}

// torus:3x5, all nodes (1, y) behind (1, 0): each needs the one before it, but the last.
TEST(SubtreeBalance, moves_no_node_that_another_needs) {
  const Network torus = network::parse("torus:3x5");
  const Layers layers(torus, 0);
  std::vector<Port> subtrees(15, 4);
  for (Node y = 0; y < 5; ++y) {
    subtrees[5 + y] = 0;
    subtrees[10 + y] = 1;
    if (y > 0) subtrees[y] = y <= 2 ? 2 : 3;
  }
  std::vector<std::uint64_t> loads{5, 5, 2, 2};
  SubtreeBalance(torus, layers, subtrees, loads).even(layers.nodes());
  EXPECT_THAT(loads, testing::UnorderedElementsAre(3, 3, 4, 4));
  for (const Node node : layers.nodes().subspan(1)) {
    bool hangs = false;
    for (const auto [from, port] : layers.last_hops(node)) {
      hangs = hangs || (from == 0 ? port : subtrees[from]) == subtrees[node];
    }
    EXPECT_TRUE(hangs) << node;
  }
}

}  // namespace
}  // namespace isotrope::algorithm

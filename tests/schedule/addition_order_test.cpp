// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/addition_order.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/exchanges.hpp"

namespace isotrope::schedule {
namespace {

bool doubling_adds_alike(const char* name, const std::vector<Port>& ports) {
  const Schedule schedule = recursive_doubling(PortModel::all(), ports);
  return adds_alike(network::parse(name), 1, schedule.stages.front());
}

// Partners of a cube have the same two sums.
TEST(AdditionOrder, of_recursive_doubling_on_a_cube_is_the_same_at_all_nodes) {
  EXPECT_TRUE(doubling_adds_alike("hypercube:1", {0}));
  EXPECT_TRUE(doubling_adds_alike("hypercube:3", {0, 1, 2}));
  EXPECT_TRUE(doubling_adds_alike("hypercube:3", {2, 0, 1}));
}

// Offsets 4, 2, 1 add the halves of residue classes, 1, 2, 4 those of a window that begins at the node.
TEST(AdditionOrder, of_doubling_on_a_cycle_depends_on_the_order_of_the_offsets) {
  EXPECT_TRUE(doubling_adds_alike("complete:8", {3, 1, 0}));
  EXPECT_FALSE(doubling_adds_alike("complete:8", {0, 1, 3}));
  EXPECT_TRUE(doubling_adds_alike("complete:4", {1, 0}));
  EXPECT_FALSE(doubling_adds_alike("complete:4", {0, 1}));
}

// A node adds a + b like its partner, but three values in an order of its own.
TEST(AdditionOrder, of_three_values_is_that_of_each_node) {
  const auto adds_gathered_alike = [](const char* name, const std::vector<Hop>& hops) {
    Stage stage{Flow::copy, Replication::all(), {}, {}};
    for (const Hop& hop : hops) stage.rounds.add(hop);
    stage.rounds.close_round();
    const auto network = network::parse(name);
    const Schedule schedule =
        gather_then_reduce(network, 1, {PortModel::all(), RoundKind::strict, {std::move(stage)}});
    return adds_alike(network, 1, schedule.stages.front());
  };
  EXPECT_TRUE(adds_gathered_alike("ring:2", {{0, 0, 0}}));
  EXPECT_FALSE(adds_gathered_alike("ring:3", {{0, 0, 0}, {0, 0, 1}}));
}

}  // namespace
}  // namespace isotrope::schedule

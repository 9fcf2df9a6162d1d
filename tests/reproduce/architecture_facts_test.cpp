// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/reproduce/architecture_facts.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/reproduce/exhibits.hpp"

namespace isotrope::reproduce {
namespace {

using schedule::Collective;
using testing::ElementsAre;

ArchitectureFacts facts(const std::string& name) {
  return facts_of(graph::parse_architecture(name));
}

std::uint64_t optimal_rounds(const std::string& name, Collective collective) {
  const CollectiveRounds rounds = rounds_of(graph::parse_architecture(name), collective);
  EXPECT_EQ(rounds.rounds, rounds.bound) << name;
  return rounds.rounds;
}

// By hand: in binary-tree:3 the distances from the root add up to 10, from an inner node to 11, from a leaf
// to 16.
TEST(ArchitectureFacts, of_a_tree_and_a_star) {
  const ArchitectureFacts tree = facts("binary-tree:3");
  EXPECT_EQ(tree.nodes, 7u);
  EXPECT_EQ(tree.links, 6u);
  EXPECT_EQ(tree.diameter, 4u);
  EXPECT_DOUBLE_EQ(tree.mean_distance, (10.0 + 2 * 11 + 4 * 16) / 42);
  EXPECT_THAT(tree.degrees, ElementsAre(1u, 2u, 3u));
  EXPECT_EQ(tree.connectivity, 1u);

  const ArchitectureFacts star = facts("star:5");
  EXPECT_DOUBLE_EQ(star.mean_distance, 2 - 2.0 / 5);
  EXPECT_DOUBLE_EQ(star.density, 2);
  EXPECT_THAT(star.degrees, ElementsAre(1u, 4u));
}

// The symmetric form and the damaged one are the same graph.
TEST(ArchitectureFacts, do_not_depend_on_how_a_graph_is_given) {
  const ArchitectureFacts ring = facts("ring:12");
  const graph::Architecture whole = graph::parse_architecture("circulant:12:1,5");
  graph::Architecture cut = whole;
  for (network::Node node = 0; node < 12; ++node) cut.missing.links.push_back({node, 2});
  const ArchitectureFacts same = facts_of(cut);
  EXPECT_EQ(same.links, ring.links);
  EXPECT_EQ(same.diameter, ring.diameter);
  EXPECT_DOUBLE_EQ(same.mean_distance, ring.mean_distance);
  EXPECT_EQ(same.connectivity, ring.connectivity);
  EXPECT_EQ(same.bisection->at_most, ring.bisection->at_most);
  EXPECT_EQ(rounds_of(cut, Collective::allgather).rounds,
            rounds_of(graph::parse_architecture("ring:12"), Collective::allgather).rounds);
}

// Everything in a tree or star goes over links that are cuts.
TEST(ArchitectureFacts, of_trees_and_stars_have_optimal_rounds) {
  EXPECT_EQ(optimal_rounds("star:20", Collective::alltoall), 19u);
  EXPECT_EQ(optimal_rounds("star:20", Collective::allgather), 19u);
  EXPECT_EQ(optimal_rounds("binary-tree:5", Collective::alltoall), 15u * 16);
  EXPECT_EQ(optimal_rounds("binary-tree:5", Collective::allgather), 30u);
  EXPECT_EQ(optimal_rounds("chordal-ring:32:9", Collective::allgather), 11u);
}

TEST(ArchitectureFacts, of_table_1_differ_in_one_cell) {
  const Table table = chen_table_1();
  EXPECT_EQ(score(table).explained, 1u) << to_text(table);
  EXPECT_EQ(score(table).unexplained, 0u) << to_text(table);
  EXPECT_EQ(table.rows.front().cells[4].measured, "126");
}

}  // namespace
}  // namespace isotrope::reproduce

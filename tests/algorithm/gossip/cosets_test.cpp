// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/gossip/cosets.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/algorithm/gossip/coset_knowledge.hpp"
#include "isotrope/algorithm/gossip/coset_rounds.hpp"

namespace isotrope::algorithm {
namespace {

TEST(Cosets, are_numbered_by_their_least_nodes) {
  const Cosets cosets(network::parse("ring:6"), {0, 2, 4});
  EXPECT_EQ(cosets.count(), 2U);
  EXPECT_EQ(cosets.size(), 3U);
  for (Node node = 0; node < 6; ++node) EXPECT_EQ(cosets.of(node), node % 2);
  EXPECT_EQ(cosets.neighbour(0, 0), 1);
  EXPECT_FALSE(cosets.joined_within());
  // Nodes 0, 2, 4 hear over port 0 (+1) from 5, 1, 3, the places 2, 0, 1 of coset 1.
  const std::uint16_t* senders = cosets.senders(0, 0);
  EXPECT_EQ(std::vector<std::uint16_t>(senders, senders + 3), (std::vector<std::uint16_t>{2, 0, 1}));
}

TEST(Cosets, of_odd_steps_are_joined_within) {
  EXPECT_TRUE(Cosets(network::parse("circulant:6:2,3"), {0, 2, 4}).joined_within());
}

// The pairs of a node and an origin that it does not know after the rounds, from the definition.
std::uint64_t missing_pairs(const Network& network, const Gossip& gossip) {
  std::vector<std::vector<bool>> knows(network.order(), std::vector<bool>(network.order(), false));
  for (Node node = 0; node < network.order(); ++node) knows[node][node] = true;
  for (const auto& round : gossip.rounds) {
    const auto before = knows;
    for (const auto& [from, port] : round) {
      auto& receiver = knows[network.neighbour(from, port)];
      for (Node origin = 0; origin < network.order(); ++origin) {
        if (before[from][origin]) receiver[origin] = true;
      }
    }
  }
  std::uint64_t result = 0;
  for (const auto& known : knows) result += static_cast<std::uint64_t>(std::ranges::count(known, false));
  return result;
}

template <class Set>
std::uint64_t missing_pairs(const CosetKnowledge<Set>& knowledge, const Cosets& cosets) {
  std::uint64_t result = 0;
  for (std::uint32_t coset = 0; coset < cosets.count(); ++coset)
    result += std::uint64_t{knowledge.missing(static_cast<Coset>(coset))} * cosets.size();
  return result;
}

struct CosetCase {
  std::string network;
  std::vector<Node> subgroup;
};

class RandomCosetRounds : public testing::TestWithParam<CosetCase> {};

// Messages come and go at random, some changes are undone: what is known stays that of the definition, and turning time
// around keeps how much is missing.
TEST_P(RandomCosetRounds, know_what_their_messages_tell) {
  const Network network = network::parse(GetParam().network);
  const Cosets cosets(network, GetParam().subgroup);
  constexpr std::uint32_t count = 5;
  CosetRounds rounds(network, cosets, false, count);
  CosetKnowledge<Origins<std::uint64_t, 1>> knowledge(cosets, count);
  knowledge.evaluate(rounds);
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    const auto t = static_cast<std::uint32_t>(random() % count);
    const auto sender = static_cast<Coset>(random() % cosets.count());
    const auto port = static_cast<Port>(random() % network.degree());
    const bool sends = rounds.part(t, sender).sends != CosetRounds::Part::silent;
    const Coset receiver = sends ? rounds.part(t, sender).to : cosets.neighbour(sender, port);
    if (!sends && !rounds.part(t, receiver).can_receive(false)) continue;
    const Port taken_out = rounds.part(t, sender).sends;
    if (sends) {
      rounds.remove(t, sender);
    } else {
      rounds.add(t, sender, port);
    }
    knowledge.update(rounds, t, {receiver}, [](Coset, std::uint32_t) {});
    ASSERT_EQ(missing_pairs(knowledge, cosets), missing_pairs(network, rounds.gossip()));
    if (i % 3 != 0) {
      knowledge.keep();
      continue;
    }
    knowledge.undo();
    if (sends) {
      rounds.add(t, sender, taken_out);
    } else {
      rounds.remove(t, sender);
    }
    ASSERT_EQ(missing_pairs(knowledge, cosets), missing_pairs(network, rounds.gossip()));
  }
  const std::uint64_t missing = missing_pairs(network, rounds.gossip());
  rounds.reverse();
  EXPECT_EQ(missing_pairs(network, rounds.gossip()), missing);
  knowledge.evaluate(rounds);
  EXPECT_EQ(missing_pairs(knowledge, cosets), missing);
}

INSTANTIATE_TEST_SUITE_P(Cosets, RandomCosetRounds,
                         testing::Values(CosetCase{"ring:6", {0, 2, 4}}, CosetCase{"ring:7", {0}},
                                         CosetCase{"hypercube:4", {0, 3, 5, 6}},
                                         CosetCase{"torus:4x6", {0, 12}},
                                         CosetCase{"circulant:9:1,2", {0, 3, 6}}));

}  // namespace
}  // namespace isotrope::algorithm

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/simulate/packet_queue.hpp"

#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isotrope::simulate {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

// Asks at most `most` packets, takes the even ones, and returns those asked.
template <class Queue>
std::vector<Node> offer_even(Queue& queue, SplitMix& random, std::size_t most, bool expected_all) {
  std::vector<Node> asked;
  const auto take = [&](Node packet) {
    asked.push_back(packet);
    return packet % 2 == 0;
  };
  EXPECT_EQ(queue.offer(random, take, [&] { return asked.size() == most; }), expected_all);
  return asked;
}

TEST(ArrivalQueue, asks_in_the_order_of_arrival) {
  SplitMix random(1);
  ArrivalQueue queue;
  for (const Node packet : {5U, 2U, 3U, 4U, 8U}) queue.push(packet);
  EXPECT_THAT(offer_even(queue, random, 4, false), ElementsAre(5, 2, 3, 4));
  queue.push(7);
  EXPECT_THAT(offer_even(queue, random, 9, true), ElementsAre(5, 3, 8, 7));
  EXPECT_THAT(offer_even(queue, random, 9, true), ElementsAre(5, 3, 7));
  EXPECT_FALSE(queue.empty());
}

TEST(ArrivalQueue, keeps_its_order_where_many_come_and_go) {
  SplitMix random(1);
  ArrivalQueue queue;
  Node next = 0;
  Node asked = 0;
  for (int i = 0; i < 1000; ++i) {
    for (int j = 0; j < 3; ++j) queue.push(++next);
    const auto end = asked + 3;
    queue.offer(
        random, [&](Node packet) { return packet == ++asked; }, [&] { return asked == end; });
  }
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(asked, 3000U);
}

TEST(RandomQueue, asks_everyone_once_and_keeps_whom_it_does_not_take) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SplitMix random(seed);
    RandomQueue queue;
    std::vector<Node> packets(20);
    std::iota(packets.begin(), packets.end(), Node{1});
    for (const Node packet : packets) queue.push(packet);
    std::multiset<Node> expected(packets.begin(), packets.end());
    for (const Node packet : offer_even(queue, random, seed % 20, false)) {
      if (packet % 2 == 0) expected.erase(packet);
    }
    const std::vector<Node> rest = offer_even(queue, random, 99, true);
    EXPECT_EQ(std::multiset<Node>(rest.begin(), rest.end()), expected);
    EXPECT_THAT(offer_even(queue, random, 99, true), UnorderedElementsAre(1, 3, 5, 7, 9, 11, 13, 15, 17, 19));
  }
}

TEST(RandomQueue, asks_each_as_often_at_every_place) {
  SplitMix random(1);
  RandomQueue queue;
  for (const Node packet : {1U, 3U, 5U}) queue.push(packet);
  std::vector<std::vector<int>> counts(3, std::vector<int>(6));
  for (int i = 0; i < 30000; ++i) {
    const std::vector<Node> asked = offer_even(queue, random, 3, true);
    for (std::size_t place = 0; place < 3; ++place) ++counts[place][asked[place]];
  }
  for (const auto& count : counts) {
    for (const Node packet : {1U, 3U, 5U}) EXPECT_NEAR(count[packet], 10000, 500);
  }
}

}  // namespace
}  // namespace isotrope::simulate

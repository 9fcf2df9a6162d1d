// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/search_metric.hpp"

#include <algorithm>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isotrope::network {
namespace {

using testing::Each;
using testing::ElementsAre;

TEST(SearchMetric, distances_of_a_small_circulant) {
  const auto metric = search_metric(Group({8}), {1, 7, 4});

  // 0 - 1, 7, 4 - 2, 6, 5, 3
  EXPECT_THAT(metric->distance_counts(), ElementsAre(1, 3, 4));
  EXPECT_EQ(metric->distance(4), 1);
  EXPECT_EQ(metric->distance(5), 2);
}

TEST(SearchMetric, single_node) {
  const auto metric = search_metric(Group({1}), {});

  EXPECT_THAT(metric->distance_counts(), ElementsAre(1));
  EXPECT_EQ(metric->distance(0), 0);
}

// On both sides of the greatest distance that two bytes hold.
TEST(SearchMetric, long_distances_fit) {
  for (Node order : {131066u, 131068u, 131070u, 131072u, 400001u}) {
    const auto metric = search_metric(Group({order}), {1, order - 1});

    EXPECT_EQ(metric->distance_counts().size(), order / 2 + 1);
    for (Node node = 0; node < order; ++node) ASSERT_EQ(metric->distance(node), std::min(node, order - node));
  }
}

TEST(SearchMetric, many_threads_may_ask_first) {
  const Node order = 50000;
  const auto metric = search_metric(Group({order}), {1, order - 1});
  std::vector<std::uint32_t> answers(4, 0);

  std::vector<std::thread> threads;
  for (std::uint32_t& answer : answers) threads.emplace_back([&] { answer = metric->distance(order / 2); });
  for (std::thread& thread : threads) thread.join();

  EXPECT_THAT(answers, Each(order / 2));
}

}  // namespace
}  // namespace isotrope::network

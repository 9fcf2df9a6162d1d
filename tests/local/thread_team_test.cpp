// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/thread_team.hpp"

#include <barrier>
#include <numeric>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace isotrope::local {
namespace {

TEST(ThreadTeam, works_side_by_side_once_each) {
  for (const unsigned threads : {1U, 2U, 7U}) {
    std::barrier everyone(threads);
    std::vector<int> calls(threads, 0);
    on_threads(threads, [&](unsigned index) {
      everyone.arrive_and_wait();
      ++calls[index];
    });
    EXPECT_EQ(calls, std::vector<int>(threads, 1));
  }
}

TEST(ThreadTeam, the_caller_is_the_first) {
  std::thread::id first;
  on_threads(3, [&](unsigned index) {
    if (index == 0) first = std::this_thread::get_id();
  });
  EXPECT_EQ(first, std::this_thread::get_id());
}

}  // namespace
}  // namespace isotrope::local

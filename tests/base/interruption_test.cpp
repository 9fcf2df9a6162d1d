// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/base/interruption.hpp"

#include <thread>

#include <gtest/gtest.h>

namespace isotrope {
namespace {

struct Stopped {};

TEST(Interruption, asks_nothing_without_a_check) {
  EXPECT_NO_THROW(check_interruption());
}

TEST(Interruption, asks_the_newest_check_until_its_end) {
  int outer = 0, inner = 0;
  const InterruptionCheck first([&] { ++outer; });
  check_interruption();
  {
    const InterruptionCheck second([&] { ++inner; });
    check_interruption();
  }
  check_interruption();
  EXPECT_EQ(outer, 2);
  EXPECT_EQ(inner, 1);
}

TEST(Interruption, throws_what_the_check_throws) {
  const InterruptionCheck check([] { throw Stopped(); });
  EXPECT_THROW(check_interruption(), Stopped);
}

TEST(Interruption, is_a_matter_of_one_thread) {
  int calls = 0;
  const InterruptionCheck check([&] { ++calls; });
  std::jthread([] { check_interruption(); }).join();
  EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace isotrope

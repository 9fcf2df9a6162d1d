// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/crossover_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace isotrope::planner {
namespace {

using testing::ElementsAre;

// start_s[i] + byte_s[i] m for m bytes.
struct StraightLines {
  std::vector<double> start_s, byte_s;
  std::size_t evaluations = 0;

  double seconds(std::size_t i, std::uint64_t bytes) {
    ++evaluations;
    return start_s[i] + byte_s[i] * static_cast<double>(bytes);
  }
  std::size_t fastest(std::uint64_t bytes) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < start_s.size(); ++i) {
      if (seconds(i, bytes) < seconds(best, bytes)) best = i;
    }
    return best;
  }
  std::vector<Change> changes(std::uint64_t from, std::uint64_t to) {
    const std::size_t before = fastest(from), after = fastest(to);
    evaluations = 0;
    const TimeCurves curves{[this](std::size_t i, std::uint64_t bytes) { return seconds(i, bytes); },
                            [this](std::uint64_t bytes, double limit, std::size_t one, std::size_t other) {
                              std::optional<std::size_t> best;
                              for (std::size_t i = 0; i < start_s.size(); ++i) {
                                const double time = seconds(i, bytes);
                                if (i == one || i == other || time >= limit) continue;
                                best = i;
                                limit = time;
                              }
                              return best;
                            }};
    return changes_of_the_fastest(curves, from, before, to, after);
  }
};

TEST(CrossoverSearch, finds_the_first_byte_on_which_another_is_ahead) {
  StraightLines lines{{1, 3}, {1e-3, 5e-4}};  // meet at 4,000 bytes, where the first one still wins
  EXPECT_THAT(lines.changes(1024, 65536), ElementsAre(Change{4001, 0, 1}));
  EXPECT_TRUE(lines.changes(5000, 65536).empty());
}

TEST(CrossoverSearch, of_straight_curves_takes_three_steps) {
  StraightLines lines{{1, 3}, {1e-9, 5e-10}};
  EXPECT_THAT(lines.changes(1 << 30, std::uint64_t{1} << 40), ElementsAre(Change{4'000'000'001, 0, 1}));
  EXPECT_LE(lines.evaluations, 4 + 3 * 4U);
}

// In the middle the third one is ahead of both by 0.05 %, then by 5 %.
TEST(CrossoverSearch, leaves_out_what_gains_less_than_a_thousandth) {
  StraightLines lines{{1, 3, 1.9990}, {1e-3, 5e-4, 7.5e-4}};
  EXPECT_THAT(lines.changes(1024, 65536), ElementsAre(Change{4001, 0, 1}));
  lines.start_s[2] = 1.9001;
  EXPECT_THAT(lines.changes(1024, 65536), ElementsAre(Change{3601, 0, 2}, Change{4400, 2, 1}));
}

// Two neighbouring sizes lie on either side of every change, and between changes one curve is the fastest.
RC_GTEST_PROP(CrossoverSearchProperty, finds_all_changes_of_straight_curves, ()) {
  StraightLines lines;
  const auto count = *rc::gen::inRange<std::size_t>(2, 7);
  for (std::size_t i = 0; i < count; ++i) {
    lines.start_s.push_back(*rc::gen::inRange(1, 100));
    lines.byte_s.push_back(*rc::gen::inRange(1, 100) / 1024.0);
  }
  const std::uint64_t from = 64, to = 64 * 1024;
  std::vector<Change> expected;
  for (std::uint64_t bytes = from + 1; bytes <= to; ++bytes) {
    const std::size_t before = lines.fastest(bytes - 1), after = lines.fastest(bytes);
    if (before != after) expected.push_back({bytes, before, after});
  }
  for (std::size_t i = 1; i < expected.size(); ++i) {
    // The middle one of three is ahead when the others meet.
    const std::size_t one = expected[i - 1].before, other = expected[i].after;
    const auto meet = static_cast<std::uint64_t>((lines.start_s[other] - lines.start_s[one]) /
                                                 (lines.byte_s[one] - lines.byte_s[other]));
    RC_PRE(!are_close(expected[i - 1].bytes, expected[i].bytes));
    RC_PRE(1.001 * least_gain * lines.seconds(expected[i].before, meet) < lines.seconds(one, meet));
  }
  RC_ASSERT(lines.changes(from, to) == expected);
}

// Jumps, bends and flat differences: whatever the curves, both sides of a change are as it says.
RC_GTEST_PROP(CrossoverSearchProperty, ends_between_curves_of_any_form, ()) {
  const auto heights = *rc::gen::container<std::vector<int>>(64, rc::gen::inRange(-3, 4));
  const auto exponent = *rc::gen::inRange(0, 12);
  const std::uint64_t from = 1 << 10, to = 1 << 16;
  const auto lead = [&](std::uint64_t bytes) {
    if (bytes == from) return -1.0;
    if (bytes == to) return std::pow(10, exponent);
    return static_cast<double>(heights[(bytes - from) * heights.size() / (to - from)]);
  };
  std::size_t evaluations = 0;
  const TimeCurves curves{[&](std::size_t i, std::uint64_t bytes) {
                            ++evaluations;
                            return i == 0 ? 10 + lead(bytes) : 10;
                          },
                          [](std::uint64_t, double, std::size_t, std::size_t) { return std::nullopt; }};
  const std::vector<Change> changes = changes_of_the_fastest(curves, from, 0, to, 1);
  RC_ASSERT(changes.size() == 1U);
  RC_ASSERT(lead(changes.front().bytes - 1) <= 0);
  RC_ASSERT(lead(changes.front().bytes) > 0);
  RC_ASSERT(evaluations <= 4 + 2 * 3 * 17U);
}

TEST(CrossoverSearch, bears_curves_that_are_not_known) {
  const double infinity = std::numeric_limits<double>::infinity();
  const TimeCurves curves{[&](std::size_t i, std::uint64_t bytes) {
                            const bool is_known = (bytes < 5000) == (i == 0);
                            return is_known ? 1.0 : infinity;
                          },
                          [](std::uint64_t, double, std::size_t, std::size_t) { return std::nullopt; }};
  EXPECT_THAT(changes_of_the_fastest(curves, 1024, 0, 65536, 1), ElementsAre(Change{5000, 0, 1}));
}

}  // namespace
}  // namespace isotrope::planner

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs for a ring, run step by step on lists of contributions.
#include "isotrope/algorithm/levels/axis_program.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "tests/sanitizers.hpp"

namespace isotrope::algorithm {
namespace {

using network::Coordinate;

// The nodes that have contributed to a value, as often as they have.
using Value = std::vector<Coordinate>;

// The sum of all that every node has at the end.
std::vector<Value> run(const AxisProgram& program, Coordinate extent) {
  std::vector<std::vector<Value>> registers(extent);
  for (Coordinate x = 0; x < extent; ++x) registers[x] = {{x}};
  for (const AxisStep& step : program) {
    const auto before = registers;
    for (const AxisSend& send : step) {
      for (Coordinate x = 0; x < extent; ++x) {
        Value sum;
        for (const std::uint32_t each : send.registers)
          sum.insert(sum.end(), before[x].at(each).begin(), before[x].at(each).end());
        registers[(x + (x % 2 == 0 ? send.even : send.odd)) % extent].push_back(sum);
      }
    }
  }
  std::vector<Value> result;
  for (const auto& values : registers) {
    Value& sum = result.emplace_back();
    for (const Value& value : values) sum.insert(sum.end(), value.begin(), value.end());
    std::ranges::sort(sum);
  }
  return result;
}

bool sums_all(const AxisProgram& program, Coordinate extent) {
  Value all(extent);
  std::iota(all.begin(), all.end(), Coordinate{0});
  return std::ranges::all_of(run(program, extent), [&](const Value& value) { return value == all; });
}

Coordinate hops(const AxisStep& step, Coordinate extent) {
  Coordinate most = 0;
  for (const AxisSend& send : step) {
    for (const Coordinate offset : {send.even, send.odd})
      most = std::max(most, std::min(offset, extent - offset));
  }
  return most;
}

Coordinate all_hops(const AxisProgram& program, Coordinate extent) {
  Coordinate sum = 0;
  for (const AxisStep& step : program) sum += hops(step, extent);
  return sum;
}

// No program has fewer hops in all than the farthest contribution comes from.
TEST(Fold, sums_all_up_by_one_message_a_step_in_diameter_hops) {
  for (Coordinate extent = 4, steps = 2; extent <= 256; extent *= 2, ++steps) {
    ASSERT_TRUE(folds(extent));
    const AxisProgram program = fold(extent);
    EXPECT_TRUE(sums_all(program, extent)) << extent;
    EXPECT_EQ(program.size(), steps);
    for (const AxisStep& step : program) EXPECT_EQ(step.size(), 1u);
    EXPECT_EQ(all_hops(program, extent), extent / 2);
  }
  for (const Coordinate extent : {2u, 3u, 6u, 12u, 24u}) EXPECT_FALSE(folds(extent)) << extent;
}

// Of the example: ring:8, x ^ 1, then 2 away from the partner, then the other neighbour.
TEST(Fold, of_eight_is_that_of_the_example) {
  const AxisProgram expected{{{1, 7, {0}}}, {{6, 2, {0, 1}}}, {{7, 1, {0, 1, 2}}}};
  EXPECT_EQ(fold(8), expected);
}

TEST(Windows, sum_all_up_on_every_ring) {
  for (Coordinate extent = 2; extent <= unless_sanitized(100, 30); ++extent)
    EXPECT_TRUE(sums_all(windows(extent), extent)) << extent;
  for (const Coordinate extent : {128u, 243u, 300u, 511u})
    EXPECT_TRUE(sums_all(windows(extent), extent)) << extent;
}

// Windows of at most two messages a step grow to three times at most.
TEST(Windows, of_small_rings_take_diameter_hops_in_few_steps) {
  for (Coordinate extent = 4; extent <= 21; ++extent) {
    const AxisProgram program = windows(extent);
    EXPECT_EQ(all_hops(program, extent), extent / 2) << extent;
    for (const AxisStep& step : program) EXPECT_LE(step.size(), 2u);
  }
  const AxisProgram nine{{{8, 8, {0}}, {1, 1, {0}}}, {{6, 6, {0, 1, 2}}, {3, 3, {0, 1, 2}}}};
  EXPECT_EQ(windows(9), nine);
  EXPECT_EQ(windows(27).size(), 3u);
  EXPECT_EQ(all_hops(windows(27), 27), 13u);
}

TEST(OneSidedWindows, sum_all_up_by_one_message_a_step_in_the_fewest_steps) {
  for (Coordinate extent = 2; extent <= 100; ++extent) {
    const AxisProgram program = one_sided(extent);
    EXPECT_TRUE(sums_all(program, extent)) << extent;
    EXPECT_EQ(program.size(), static_cast<std::size_t>(std::bit_width(extent - 1))) << extent;
    for (const AxisStep& step : program) EXPECT_EQ(step.size(), 1u);
  }
  const AxisProgram five{{{4, 4, {0}}}, {{4, 4, {1}}}, {{3, 3, {1, 2}}}};
  EXPECT_EQ(one_sided(5), five);
}

TEST(Stages, divide_into_their_extent) {
  for (Coordinate extent = 2; extent <= 81; ++extent) {
    Coordinate product = 1;
    AxisProgram running = stages(extent);
    for (std::uint32_t i = 0, received = 1; i < running.size(); ++i) {
      product *= static_cast<Coordinate>(running[i].size()) + 1;
      for (AxisSend& send : running[i]) {
        EXPECT_EQ(send.registers, std::vector<std::uint32_t>{0});
        send.registers.resize(received);
        std::iota(send.registers.begin(), send.registers.end(), 0u);
      }
      received += static_cast<std::uint32_t>(running[i].size());
    }
    EXPECT_EQ(product, extent);
    EXPECT_TRUE(sums_all(running, extent)) << extent;
  }
  EXPECT_EQ(stages(16).size(), 4u);
  EXPECT_EQ(stages(27).size(), 3u);
  EXPECT_EQ(stages(12).size(), 3u);
  EXPECT_EQ(stages(7).size(), 1u);
  const AxisProgram six{{{1, 1, {0}}, {5, 5, {0}}}, {{3, 3, {0}}}};
  EXPECT_EQ(stages(6), six);
}

}  // namespace
}  // namespace isotrope::algorithm

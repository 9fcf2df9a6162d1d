// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/rank/segmentation.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/cost/ramp.hpp"

#include "isotrope/rank/program.hpp"
#include "isotrope/verify/verify.hpp"

namespace isotrope::rank {
namespace {

// floor(p 10 / 4) = 0, 2, 5, 7; the next block begins at 10.
TEST(Segmentation, of_blocks) {
  const Segmentation units = Segmentation::of_blocks(10, 4);
  EXPECT_EQ(units.begin(0), 0U);
  EXPECT_EQ(units.begin(1), 2U);
  EXPECT_EQ(units.begin(2), 5U);
  EXPECT_EQ(units.begin(3), 7U);
  EXPECT_EQ(units.begin(4), 10U);
  EXPECT_EQ(units.begin(5), 12U);
  EXPECT_EQ(units.elements(1, 4), 10U);
  EXPECT_EQ(units.largest(), 3U);
  EXPECT_EQ(units.of_whole_blocks(3), 30U);
}

// 10 elements in 2 blocks of 3 parts: floor(q 10 / 6) = 0, 1, 3, 5, 6, 8, and 10 at the end.
TEST(Segmentation, of_a_vector) {
  const Segmentation units = Segmentation::of_vector(10, 2, 3);
  EXPECT_EQ(units.begin(2), 3U);
  EXPECT_EQ(units.begin(3), 5U);
  EXPECT_EQ(units.begin(6), 10U);
  EXPECT_EQ(units.largest(), 2U);
  EXPECT_EQ(units.of_whole_blocks(2), 10U);
}

// Of 11 elements 5/11 from the third one on: 3 to 8; in a block of 2 parts 3, 5, 8, and in the next one 14, 16, 19.
TEST(Segmentation, of_shares) {
  const Segmentation blocks = Segmentation::of_blocks(11, 2).share(3, 8, 11);
  for (const auto& [unit, begin] : {std::pair(0U, 3U), {1U, 5U}, {2U, 14U}, {3U, 16U}})
    EXPECT_EQ(blocks.begin(unit), begin) << unit;
  EXPECT_EQ(blocks.elements(0, 2), 5U);
  EXPECT_EQ(blocks.elements(3, 1), 3U);
  EXPECT_EQ(blocks.largest(), 3U);
  const Segmentation vector = Segmentation::of_vector(22, 2, 2).share(3, 8, 11);
  EXPECT_EQ(vector.begin(0), 6U);
  EXPECT_EQ(vector.elements(0, 4), 10U);
  const std::vector<std::uint64_t> weights{1, 3};
  EXPECT_TRUE(vector.has_shares());
  EXPECT_FALSE(Segmentation::of_weighted_block(9, weights).has_shares());
}

// Shares that follow each other have all elements of every block.
TEST(Segmentation, of_all_shares_is_the_block) {
  const std::uint64_t most = std::uint64_t{1} << 60, weights = UINT32_MAX;
  for (const std::uint64_t elements : {std::uint64_t{0}, std::uint64_t{7}, std::uint64_t{1000}, most}) {
    const Segmentation all = Segmentation::of_blocks(elements, 3);
    const Segmentation first = all.share(0, 5, weights), last = all.share(5, weights, weights);
    EXPECT_EQ(first.begin(0), 0U);
    EXPECT_EQ(first.elements(0, 3), last.begin(0));
    EXPECT_EQ(first.elements(0, 3) + last.elements(0, 3), elements);
    EXPECT_EQ(last.begin(3) - last.begin(0), elements);
  }
}

TEST(Segmentation, of_nothing_are_empty) {
  EXPECT_EQ(Segmentation::of_blocks(0, 3).elements(0, 6), 0U);
  EXPECT_EQ(Segmentation::of_vector(0, 4, 3).largest(), 0U);
  EXPECT_EQ(Segmentation::of_vector(2, 4, 1).elements(0, 4), 2U);
}

// Blocks of 5, 0, 1 and 4 elements in 2 parts: floor(p E / 2) = 0, 2 | 0, 0 | 0, 0 | 0, 2.
TEST(Segmentation, of_unequal_blocks) {
  const std::vector<std::uint64_t> sizes{5, 0, 1, 4}, ends = block_ends(sizes);
  EXPECT_EQ(ends, (std::vector<std::uint64_t>{5, 5, 6, 10}));
  const Segmentation units = Segmentation::of_unequal_blocks(ends, 2);
  const std::vector<std::uint64_t> begins{0, 2, 5, 5, 5, 5, 6, 8, 10};
  for (std::uint64_t unit = 0; unit < begins.size(); ++unit)
    EXPECT_EQ(units.begin(unit), begins[unit]) << unit;
  EXPECT_EQ(units.largest(), 3U);
  EXPECT_EQ(units.of_whole_blocks(3), 6U);
  EXPECT_EQ(units.elements(1, 5), 4U);
}

// Blocks that are alike have the units of equal blocks.
TEST(Segmentation, of_unequal_blocks_that_are_alike) {
  for (const std::uint64_t elements : {0U, 1U, 7U, 24U}) {
    const std::vector<std::uint64_t> ends{elements, 2 * elements, 3 * elements};
    const Segmentation unequal = Segmentation::of_unequal_blocks(ends, 5),
                       equal = Segmentation::of_blocks(elements, 5);
    for (std::uint64_t unit = 0; unit <= 15; ++unit)
      EXPECT_EQ(unequal.begin(unit), equal.begin(unit)) << elements << " " << unit;
    EXPECT_EQ(unequal.largest(), equal.largest());
  }
}

// Weights 1, 3 and 4 of 8: floor(10 / 8) = 1, floor(4 10 / 8) = 5, 10.
TEST(Segmentation, of_weighted_parts) {
  const std::vector<std::uint64_t> ends{1, 4, 8};
  const Segmentation units = Segmentation::of_weighted_block(10, ends);
  EXPECT_EQ(units.begin(0), 0U);
  EXPECT_EQ(units.begin(1), 1U);
  EXPECT_EQ(units.begin(2), 5U);
  EXPECT_EQ(units.begin(3), 10U);
  EXPECT_EQ(units.elements(1, 2), 9U);
}

// Each within an element of its share, whatever the block, and together all of it.
TEST(Segmentation, of_weighted_parts_are_their_shares) {
  std::vector<std::uint64_t> ends;
  for (std::uint64_t part = 0; part < 50; ++part)
    ends.push_back((ends.empty() ? 0 : ends.back()) + cost::ramp_weight(part % 17, 4));
  for (const std::uint64_t elements : {0ULL, 1ULL, 16ULL, 4999ULL, 123457ULL, 1ULL << 45}) {
    const Segmentation units = Segmentation::of_weighted_block(elements, ends);
    for (std::uint64_t part = 0; part < ends.size(); ++part) {
      const double share =
          static_cast<double>(elements) * static_cast<double>(ends[part]) / static_cast<double>(ends.back());
      EXPECT_NEAR(static_cast<double>(units.begin(part + 1)), share, 1) << elements << ' ' << part;
      EXPECT_LE(units.begin(part), units.begin(part + 1));
    }
    EXPECT_EQ(units.elements(0, ends.size()), elements);
  }
}

// Ring of 3 from node 0: parts 0 and 1 leave over port 0 in rounds 0 and 1, part 2 over port 1 in round 0.
TEST(RunAhead, begins_every_pipeline_with_a_small_part) {
  schedule::Stage stage{schedule::Flow::copy, {}, {}, {}};
  stage.rounds.add({0, 0, 0});
  stage.rounds.add({2, 0, 1});
  stage.rounds.close_round();
  stage.rounds.add({0, 1, 0});
  stage.rounds.add({1, 0, 0});
  stage.rounds.add({2, 2, 1});
  stage.rounds.close_round();
  stage.rounds.add({1, 1, 0});
  stage.rounds.close_round();
  const schedule::Task task{.collective = schedule::Collective::broadcast, .parts = 3};
  schedule::Plan plan{network::parse("ring:3"),
                      {},
                      task,
                      {schedule::PortModel::all(), schedule::RoundKind::strict, {stage}},
                      {},
                      {}};
  ASSERT_TRUE(verify::verify(plan).valid);

  RankProgram program = compile(plan, 1);
  EXPECT_EQ(program.window, 1U);
  plan.window = 2;
  program = compile(plan, 1);
  EXPECT_EQ(program.window, 2U);
  EXPECT_EQ(program.part_ends, (std::vector<std::uint64_t>{2, 102, 104}));
}

// A plan may list its packets in any order.
TEST(Segmentation, of_a_pipeline_whose_packets_are_listed) {
  schedule::Stage stage{schedule::Flow::copy, {}, {}, {}};
  stage.packets = {{0, schedule::to_all, 0, 1}, {0, schedule::to_all, 0, 0}};
  for (const schedule::PacketId packet : {1U, 0U}) {
    stage.rounds.add({packet, 0, 0});
    stage.rounds.add({packet, 0, 1});
    stage.rounds.close_round();
  }
  schedule::Plan plan{network::parse("ring:3"),
                      {},
                      {.collective = schedule::Collective::broadcast, .parts = 2},
                      {schedule::PortModel::all(), schedule::RoundKind::strict, {stage}},
                      {},
                      {}};
  ASSERT_TRUE(verify::verify(plan).valid);
  plan.window = 2;
  EXPECT_EQ(compile(plan, 1).part_ends, (std::vector<std::uint64_t>{2, 102}));
}

// 2^40 elements, of which the unit's number times the size would not fit into 64 bits.
TEST(Segmentation, of_huge_blocks) {
  const std::uint64_t elements = std::uint64_t{1} << 40;
  const Segmentation units = Segmentation::of_blocks(elements + 1, 1U << 16);
  EXPECT_EQ(units.begin((1U << 16) - 1), (elements >> 16) * 65535U);
  EXPECT_EQ(units.begin(1U << 16), elements + 1);
}

}  // namespace
}  // namespace isotrope::rank

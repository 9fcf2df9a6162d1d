// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/workload.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cost/plans.hpp"

namespace isotrope::cost {
namespace {

using testing::HasSubstr;

std::string refusal(Workload workload, std::uint32_t parts) {
  return error_of([&] { check(workload, schedule::Task{.parts = parts}); });
}

TEST(Workload, cuts_a_block_into_packets) {
  const Workload workload{10, 4};
  EXPECT_EQ(workload.bytes(0), 4u);
  EXPECT_EQ(workload.bytes(1), 4u);
  EXPECT_EQ(workload.bytes(2), 2u);
  EXPECT_FALSE(workload.even(3));
  EXPECT_TRUE((Workload{12, 4}.even(3)));
  EXPECT_EQ(refusal(workload, 3), "");
}

// 9 bytes in 4 parts: packets of 3 bytes, the last one empty.
TEST(Workload, leaves_empty_parts_where_bytes_run_out) {
  const Workload workload = Workload::in_parts(9, 4);
  EXPECT_EQ(workload.packet_bytes, 3u);
  EXPECT_EQ(workload.bytes(2), 3u);
  EXPECT_EQ(workload.bytes(3), 0u);
  EXPECT_EQ(refusal(workload, 4), "");
  EXPECT_EQ(Workload::in_parts(2, 5).bytes(1), 1u);
  EXPECT_EQ(Workload::in_parts(2, 5).bytes(4), 0u);
}

TEST(Workload, loses_no_byte_and_is_even_where_all_parts_are_alike) {
  for (std::uint64_t block = 1; block <= 40; ++block) {
    for (std::uint32_t parts = 1; parts <= 45; ++parts) {
      const Workload workload = Workload::in_parts(block, parts);
      std::uint64_t sum = 0, differing = 0;
      for (std::uint32_t part = 0; part < parts; ++part) {
        sum += workload.bytes(part);
        differing += workload.bytes(part) == workload.bytes(0) ? 0 : 1;
      }
      EXPECT_EQ(sum, block) << parts;
      EXPECT_EQ(workload.even(parts), differing == 0) << block << " " << parts;
      EXPECT_EQ(refusal(workload, parts), "") << block << " " << parts;
    }
  }
}

TEST(Workload, takes_the_largest_block) {
  const Workload workload = Workload::in_parts(most_block_bytes, UINT32_MAX);
  EXPECT_EQ(refusal(workload, UINT32_MAX), "");
  EXPECT_LE(workload.bytes(UINT32_MAX - 1), workload.packet_bytes);
}

TEST(Workload, refuses_sizes_that_make_no_packets) {
  EXPECT_THAT(refusal({0, 0}, 1), HasSubstr("a block of 0 bytes"));
  EXPECT_THAT(refusal({most_block_bytes + 1, 1}, 1), HasSubstr("give 1 to 4611686018427387904"));
  EXPECT_THAT(refusal({8, 8}, 0), HasSubstr("a plan of 0 parts"));
  EXPECT_THAT(refusal({8, 0}, 1), HasSubstr("packets of 0 bytes"));
  EXPECT_THAT(refusal({8, 9}, 1), HasSubstr("give 1 to 8, the bytes of the block"));
}

TEST(Workload, refuses_parts_that_its_packets_do_not_make) {
  EXPECT_THAT(refusal({10, 4}, 2),
              HasSubstr("into 3 parts, and the plan has 2: give packets of 5 bytes, or plan "
                        "for 3 parts"));
  EXPECT_THAT(refusal({10, 5}, 3), HasSubstr("give packets of 4 bytes, or plan for 2 parts"));
}

}  // namespace
}  // namespace isotrope::cost

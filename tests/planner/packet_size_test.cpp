// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/packet_size.hpp"

#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

namespace isotrope::planner {
namespace {

using schedule::Collective;
using schedule::Delivery;
using schedule::Problem;
using schedule::SizedBlock;
using testing::HasSubstr;

Problem problem(const char* collective) {
  Problem result{.network = network::parse("ring:8")};
  result.task = schedule::parse_task(collective, result.network);
  return result;
}

// A block of 100 bytes in packets of 30 is 4 parts; a packet of 250 bytes holds two blocks.
TEST(PacketSize, cuts_blocks_or_merges_them) {
  Problem cut = problem("broadcast"), merged = problem("scatter");
  set_packet_size(cut, 100, 30, "--packet");
  set_packet_size(merged, 100, 250, "--packet");
  EXPECT_EQ(cut.task.parts, 4u);
  EXPECT_EQ(cut.aggregation, 1u);
  EXPECT_EQ(merged.task.parts, 1u);
  EXPECT_EQ(merged.aggregation, 2u);
}

// The count of an allreduce is its vector, of which a node has an eighth: 16 bytes, 4 packets.
TEST(PacketSize, is_of_the_blocks_of_a_vector) {
  Problem reduced = problem("allreduce");
  set_packet_size(reduced, 121, 4, "packet");
  EXPECT_EQ(reduced.task.parts, 4u);
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(PacketSize, is_the_message_at_most) {
  Problem sent = problem("alltoall"), scattered = problem("scatter");
  EXPECT_EQ(refusal([&] { set_packet_size(sent, 100, 101, "--packet"); }),
            "--packet 101: larger than the message of 100 B; give at most --packet 100");
  EXPECT_THAT(refusal([&] { set_packet_size(scattered, 100, 701, "packet"); }),
              HasSubstr("give at most packet 700"));
  EXPECT_EQ(refusal([&] { set_packet_size(scattered, 100, 700, "packet"); }), "");
}

TEST(PacketSize, of_unequal_blocks_has_few_cuts) {
  const std::vector<SizedBlock> small = {{0, 1, 1}, {1, 2, 4096}}, large = {{0, 1, std::uint64_t{1} << 40}};
  EXPECT_EQ(packet_of(small, {}, "packet"), 4096u);
  EXPECT_EQ(packet_of(small, 7, "packet"), 7u);
  EXPECT_EQ(packet_of(large, {}, "packet"), std::uint64_t{1} << 24);
  EXPECT_THAT(refusal([&] { packet_of(large, 1000, "packet"); }), HasSubstr("give packet 4194304 or more"));
}

TEST(PacketSize, holds_the_bytes_of_every_block) {
  const std::vector<SizedBlock> blocks = {{0, 1, 1}, {2, 3, 10}, {3, 0, 11}};
  EXPECT_EQ(in_packets(blocks, 10), (std::vector<Delivery>{{0, 1, 1}, {2, 3, 1}, {3, 0, 2}}));
}

}  // namespace
}  // namespace isotrope::planner

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/exchange.hpp"

#include <cstring>
#include <string>

#include <gtest/gtest.h>

#include "isotrope/local/byte_stream.hpp"

#include "tests/local/tree_plans.hpp"

namespace isotrope::local {
namespace {

using schedule::Collective;
using schedule::Replication;

std::string copied(std::string memory, std::uint64_t piece, std::uint64_t bytes) {
  copy_plainly(std::as_writable_bytes(std::span(memory)), piece, bytes);
  return memory;
}

TEST(CopyPlainly, goes_from_half_to_half_and_starts_again) {
  EXPECT_EQ(copied("abcd....", 3, 2), "abcdab..");
  EXPECT_EQ(copied("abcd....", 3, 4), "abcdabcd");
  EXPECT_EQ(copied("abcd....", 3, 1000), "abcdabcd");
  EXPECT_EQ(copied("abcd....", 3, 0), "abcd....");
  EXPECT_EQ(copied("abcd.....", 100, 9), "abcdabcd.");
}

// Ring of 3: everyone receives from both neighbours in round 0. A thread that owns positions 1 and 2 leaves
// the arena of node 0 alone. A node's own block is followed by those of the nodes before and after it.
TEST(Exchange, writes_to_the_own_nodes_only) {
  const auto plan = tree_plan("ring:3", Collective::allgather, Replication::all());
  const CopyProgram program = compile(plan, 16);
  const Arenas arenas(program);
  fill(plan.network, program, arenas, 1, {0, 3});
  const auto arena = [&](Node node) {
    return std::string(reinterpret_cast<const char*>(arenas.of(node)), program.arena_bytes[0]);
  };
  const std::string before = arena(0);

  run_step(plan.network, program, arenas, 0, {1, 3});

  EXPECT_EQ(arena(0), before);
  EXPECT_EQ(arena(1).substr(16, 16) + arena(1).substr(32, 16), before.substr(0, 16) + arena(2).substr(0, 16));
}

TEST(Exchange, fill_puts_an_origins_stream_into_its_place) {
  const auto plan = tree_plan("ring:3", Collective::scatter, Replication::none(), 1, 2);
  const CopyProgram program = compile(plan, 16);
  const Arenas arenas(program);
  fill(plan.network, program, arenas, 7, {0, 3});

  std::array<std::byte, 16> block_one{};
  ByteStream(7, 2, 2, 1).write(block_one, 0);

  EXPECT_EQ(std::memcmp(arenas.of(2) + 16, block_one.data(), 16), 0);
}

}  // namespace
}  // namespace isotrope::local

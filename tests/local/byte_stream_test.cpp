// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/byte_stream.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace isotrope::local {
namespace {

using Bytes = std::vector<std::byte>;

Bytes piece(const ByteStream& stream, std::uint64_t offset, std::size_t count) {
  Bytes bytes(count);
  stream.write(bytes, offset);
  return bytes;
}

TEST(ByteStream, any_piece_is_cut_from_the_same_stream) {
  const ByteStream stream(1, 2, 3, 4);
  const Bytes whole = piece(stream, 0, 200);
  EXPECT_TRUE(rc::check([&] {
    const auto offset = *rc::gen::inRange<std::size_t>(0, 200);
    const auto count = *rc::gen::inRange<std::size_t>(0, 201 - offset);
    RC_ASSERT(std::ranges::equal(piece(stream, offset, count), std::span(whole).subspan(offset, count)));
  }));
}

TEST(ByteStream, depends_on_seed_contributor_owner_and_block) {
  const std::vector<Bytes> streams = {
      piece({1, 2, 3, 4}, 0, 16), piece({9, 2, 3, 4}, 0, 16), piece({1, 9, 3, 4}, 0, 16),
      piece({1, 2, 9, 4}, 0, 16), piece({1, 2, 3, 9}, 0, 16), piece({1, 3, 2, 4}, 0, 16),
  };
  for (auto a = streams.begin(); a != streams.end(); ++a) {
    EXPECT_EQ(std::count(streams.begin(), streams.end(), *a), 1);
  }
}

}  // namespace
}  // namespace isotrope::local

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The bytes a node sends, or shapes its elements from (contributions.hpp): a stream for every block, known to
// whoever checks it at the other end.
//
// Convention: byte i of a stream is byte i mod 8, low one first, of word i / 8; word k is the k-th output of
// SplitMix64 started at a key mixed from seed, contributor, owner and block. Any piece of a stream can be
// written on its own, in constant time a word.
//
// Source: Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014; the mixer is
// Stafford's variant 13.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "isotrope/network/group.hpp"

namespace isotrope::local {

using network::Node;

class ByteStream {
 public:
  /// What `contributor` puts into block `block` of `owner`. A block that is only carried has its owner as the
  /// one contributor.
  ByteStream(std::uint64_t seed, Node contributor, Node owner, std::uint32_t block);

  /// Writes the bytes of the stream from `offset` on to `out`.
  void write(std::span<std::byte> out, std::uint64_t offset) const;

 private:
  std::uint64_t key_;
};

}  // namespace isotrope::local

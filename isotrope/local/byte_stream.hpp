// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Pseudo-random bytes of blocks: a node sends them, or makes its elements of them (contributions.hpp), and the
// receiver computes them again for comparison.
//
// Convention: byte i of a stream is byte i mod 8, the lowest first, of word i / 8; word k is output k of
// SplitMix64 from a key that is mixed from seed, contributor, owner and block. Any part of a stream can be
// written, in constant time per word.
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
  /// The contribution of `contributor` to block `block` of `owner`. The only contributor to a block that is not
  /// reduced is its owner.
  ByteStream(std::uint64_t seed, Node contributor, Node owner, std::uint32_t block);

  /// Writes the bytes of the stream from `offset` on to `out`.
  void write(std::span<std::byte> out, std::uint64_t offset) const;

 private:
  std::uint64_t key_;
};

}  // namespace isotrope::local

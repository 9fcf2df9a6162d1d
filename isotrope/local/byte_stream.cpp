// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/byte_stream.hpp"

#include <algorithm>

namespace isotrope::local {
namespace {

constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15;
constexpr std::uint64_t word_bytes = 8;

std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// Fills `out` with the bytes first, first + 1, ... of `word`.
void write_word(std::span<std::byte> out, std::uint64_t word, std::uint64_t first) {
  word >>= 8 * first;
  for (std::byte& byte : out) {
    byte = static_cast<std::byte>(word);
    word >>= 8;
  }
}

}  // namespace

ByteStream::ByteStream(std::uint64_t seed, Node contributor, Node owner, std::uint32_t block)
    : key_(mixed(mixed(mixed(seed + golden_ratio) + contributor) + (std::uint64_t{owner} << 32 | block))) {}

void ByteStream::write(std::span<std::byte> out, std::uint64_t offset) const {
  std::uint64_t state = key_ + offset / word_bytes * golden_ratio;
  const std::uint64_t within = offset % word_bytes;
  const std::size_t head = std::min<std::size_t>(out.size(), word_bytes - within);
  write_word(out.first(head), mixed(state), within);
  out = out.subspan(head);
  for (; out.size() >= word_bytes; out = out.subspan(word_bytes)) {
    write_word(out.first<word_bytes>(), mixed(state += golden_ratio), 0);
  }
  write_word(out, mixed(state + golden_ratio), 0);
}

}  // namespace isotrope::local

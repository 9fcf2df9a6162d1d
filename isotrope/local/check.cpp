// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/check.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "isotrope/local/byte_stream.hpp"
#include "isotrope/local/shares.hpp"

namespace isotrope::local {
namespace {

// Bytes generated at a time; they stay in a first-level cache while all destinations are compared with them.
constexpr std::uint64_t chunk_bytes = 8192;
using Chunk = std::array<std::byte, chunk_bytes>;

class Checker {
 public:
  Checker(const network::Group& group, const Program& program, const Arenas& arenas, std::uint64_t seed)
      : group_(group), program_(program), arenas_(arenas), seed_(seed) {}

  void check_instance(std::uint64_t piece, Node translation) {
    const std::span<const Holding> sinks = sinks_of(piece);
    for (const Holding& sink : sinks) {
      if (sink.place == nowhere) report_missing(program_.pieces[piece], sink, translation);
    }
    for (std::uint64_t begin = 0; begin < program_.pieces[piece].bytes; begin += chunk_bytes) {
      check_chunk(program_.pieces[piece], sinks, translation, begin);
    }
  }

  Verdict take_verdict() { return std::move(verdict_); }

 private:
  std::span<const Holding> sinks_of(std::uint64_t piece) const {
    return {std::ranges::lower_bound(program_.sinks, piece, {}, &Holding::piece),
            std::ranges::lower_bound(program_.sinks, piece + 1, {}, &Holding::piece)};
  }

  void check_chunk(const Piece& piece, std::span<const Holding> sinks, Node translation,
                   std::uint64_t begin) {
    const std::span<std::byte> expected =
        std::span(expected_).first(std::min(chunk_bytes, piece.bytes - begin));
    const bool arrived =
        std::ranges::any_of(sinks, [](const Holding& sink) { return sink.place != nowhere; });
    if (arrived) expect(expected, piece, group_.add(piece.owner, translation), begin);
    for (const Holding& sink : sinks) {
      if (sink.place == nowhere) continue;
      const std::byte* came = arenas_.of(group_.add(sink.node, translation)) + sink.place + begin;
      verdict_.bytes_checked += expected.size();
      if (std::memcmp(expected.data(), came, expected.size()) != 0) {
        report_wrong(piece, sink, translation, begin, expected, came);
      }
    }
  }

  void expect(std::span<std::byte> bytes, const Piece& piece, Node owner, std::uint64_t begin) {
    const std::uint64_t offset = piece.offset + begin;
    if (!piece.combined) return ByteStream(seed_, owner, owner, piece.block).write(bytes, offset);
    std::ranges::fill(bytes, std::byte{0});
    const std::span<std::byte> contribution = std::span(contribution_).first(bytes.size());
    for (const Node contributor : program_.survivors) {
      ByteStream(seed_, contributor, owner, piece.block).write(contribution, offset);
      add_bytes(bytes, contribution);
    }
  }

  std::string where(const Piece& piece, const Holding& sink, Node translation) const {
    return fmt::format("node {}: packet {} of node {}", group_.add(sink.node, translation), piece.packet,
                       group_.add(piece.owner, translation));
  }
  void report_missing(const Piece& piece, const Holding& sink, Node translation) {
    if (verdict_.first_error.empty())
      verdict_.first_error = where(piece, sink, translation) + " never arrives";
  }
  void report_wrong(const Piece& piece, const Holding& sink, Node translation, std::uint64_t begin,
                    std::span<const std::byte> expected, const std::byte* came) {
    if (!verdict_.first_error.empty()) return;
    const auto wrong = static_cast<std::size_t>(
        std::ranges::mismatch(expected, std::span(came, expected.size())).in1 - expected.begin());
    verdict_.first_error = fmt::format(
        "{} is wrong at byte {}: {:#04x} instead of {:#04x}", where(piece, sink, translation), begin + wrong,
        std::to_integer<unsigned>(came[wrong]), std::to_integer<unsigned>(expected[wrong]));
  }

  const network::Group& group_;
  const Program& program_;
  const Arenas& arenas_;
  std::uint64_t seed_;
  Verdict verdict_;
  Chunk expected_;
  Chunk contribution_;
};

}  // namespace

void Verdict::append(const Verdict& next) {
  bytes_checked += next.bytes_checked;
  if (first_error.empty()) first_error = next.first_error;
}

Verdict check(const network::Group& group, const Program& program, const Arenas& arenas, std::uint64_t seed,
              unsigned index, unsigned shares) {
  const std::uint64_t translations = program.cosets.size();
  const std::uint64_t instances = program.pieces.size() * translations;
  Checker checker(group, program, arenas, seed);
  const std::uint64_t end = share_begin(std::uint64_t{index} + 1, instances, shares);
  for (std::uint64_t i = share_begin(index, instances, shares); i < end; ++i) {
    checker.check_instance(i / translations, program.cosets.translations()[i % translations]);
  }
  return checker.take_verdict();
}

}  // namespace isotrope::local

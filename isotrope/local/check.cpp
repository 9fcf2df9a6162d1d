// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/check.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "isotrope/local/contributions.hpp"
#include "isotrope/local/expectation.hpp"
#include "isotrope/local/shares.hpp"

namespace isotrope::local {
namespace {

class Checker {
 public:
  Checker(const network::Group& group, const CopyProgram& program, const Arenas& arenas, std::uint64_t seed)
      : group_(group),
        program_(program),
        arenas_(arenas),
        contributions_(program.reduction, program.survivors.size(), seed),
        exact_(exact_expectation(program.combine)),
        rounded_(is_rounded(program.reduction)
                     ? rounded_expectation(program.reduction, program.survivors.size())
                     : nullptr) {}

  void check_instance(std::uint64_t piece, Node translation) {
    const std::span<const Holding> sinks = sinks_of(piece);
    for (const Holding& sink : sinks) {
      if (sink.place == nowhere) report(where(program_.pieces[piece], sink, translation) + " never arrives");
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

  void check_chunk(const TranslatedPacket& piece, std::span<const Holding> sinks, Node translation,
                   std::uint64_t begin) {
    const bool arrived =
        std::ranges::any_of(sinks, [](const Holding& sink) { return sink.place != nowhere; });
    if (!arrived) return;
    const std::uint64_t bytes = std::min(chunk_bytes, piece.bytes - begin);
    Expectation& expected = piece.combined && rounded_ ? *rounded_ : *exact_;
    expect(expected, piece, group_.add(piece.owner, translation), begin, bytes);
    for (const Holding& sink : sinks) {
      if (sink.place == nowhere) continue;
      const std::byte* came = arenas_.of(group_.add(sink.node, translation)) + sink.place + begin;
      verdict_.bytes_checked += bytes;
      if (const auto error = expected.error({came, bytes}, begin)) {
        report(where(piece, sink, translation) + " is wrong " + *error);
      }
    }
    verdict_.largest_rounding = std::max(verdict_.largest_rounding, expected.largest_rounding());
  }

  void expect(Expectation& expected, const TranslatedPacket& piece, Node owner, std::uint64_t begin,
              std::uint64_t bytes) {
    const std::span<const Node> contributors =
        piece.combined ? std::span(program_.survivors) : std::span<const Node>(&owner, 1);
    const std::span<std::byte> contribution = std::span(contribution_).first(bytes);
    for (const Node contributor : contributors) {
      contributions_.write(contribution, contributor, owner, piece.block, piece.offset + begin);
      if (contributor == contributors.front()) {
        expected.begin(contribution);
      } else {
        expected.combine(contribution);
      }
    }
  }

  std::string where(const TranslatedPacket& piece, const Holding& sink, Node translation) const {
    return fmt::format("node {}: packet {} of node {}", group_.add(sink.node, translation), piece.packet,
                       group_.add(piece.owner, translation));
  }
  void report(const std::string& error) {
    if (verdict_.first_error.empty()) verdict_.first_error = error;
  }

  const network::Group& group_;
  const CopyProgram& program_;
  const Arenas& arenas_;
  Contributions contributions_;
  std::unique_ptr<Expectation> exact_;
  std::unique_ptr<Expectation> rounded_;  // nullptr if nothing is rounded
  Verdict verdict_;
  std::array<std::byte, chunk_bytes> contribution_;
};

}  // namespace

void Verdict::append(const Verdict& next) {
  bytes_checked += next.bytes_checked;
  if (first_error.empty()) first_error = next.first_error;
  largest_rounding = std::max(largest_rounding, next.largest_rounding);
}

Verdict check(const network::Group& group, const CopyProgram& program, const Arenas& arenas,
              std::uint64_t seed, unsigned index, unsigned shares) {
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

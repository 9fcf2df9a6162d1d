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
#include "isotrope/local/whole_numbers.hpp"

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
    if (program_.pieces[piece].owner == schedule::to_all && translation != 0) return;  // listed at every node
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
    if (std::ranges::all_of(sinks, [](const Holding& sink) { return sink.place == nowhere; })) return;
    const std::uint64_t bytes = std::min(chunk_bytes, piece.bytes - begin);
    Expectation& expected = piece.combined && rounded_ ? *rounded_ : *exact_;
    if (program_.contributors == Contributors::all) {
      expect(expected, piece, piece.owner_at(group_, translation), begin, bytes);
      for (const Holding& sink : sinks) compare(expected, piece, sink, translation, begin, bytes);
    } else {
      check_prefixes(expected, piece, sinks, begin, bytes);
    }
    verdict_.largest_rounding = std::max(verdict_.largest_rounding, expected.largest_rounding());
  }

  void compare(Expectation& expected, const TranslatedPacket& piece, const Holding& sink, Node translation,
               std::uint64_t begin, std::uint64_t bytes) {
    if (sink.place == nowhere) return;
    const std::byte* came = arenas_.of(group_.add(sink.node, translation)) + sink.place + begin;
    verdict_.bytes_checked += bytes;
    if (const auto error = expected.error({came, bytes}, begin)) {
      report(where(piece, sink, translation) + " is wrong " + *error);
    }
  }

  // The results of a scan or exscan, whose sinks are ascending by node: each result extends the one before.
  void check_prefixes(Expectation& expected, const TranslatedPacket& piece, std::span<const Holding> sinks,
                      std::uint64_t begin, std::uint64_t bytes) {
    const std::span<std::byte> contribution = std::span(contribution_).first(bytes);
    const bool takes_own = program_.contributors == Contributors::up_to_node;
    auto next = program_.survivors.begin();
    for (const Holding& sink : sinks) {
      while (next != program_.survivors.end() && *next < sink.node + (takes_own ? 1 : 0)) {
        contributions_.write(contribution, *next, piece.owner, piece.block, piece.offset + begin);
        next == program_.survivors.begin() ? expected.begin(contribution) : expected.combine(contribution);
        ++next;
      }
      compare(expected, piece, sink, 0, begin, bytes);
    }
  }

  void expect(Expectation& expected, const TranslatedPacket& piece, Node owner, std::uint64_t begin,
              std::uint64_t bytes) {
    const std::span<const Node> contributors =
        piece.combined ? std::span(program_.survivors) : std::span<const Node>(&owner, 1);
    const std::span<std::byte> contribution = std::span(contribution_).first(bytes);
    for (const Node contributor : contributors) {
      contributions_.write(contribution, contributor, owner, piece.block, piece.offset + begin);
      const bool is_first = contributor == contributors.front();
      is_first ? expected.begin(contribution) : expected.combine(contribution);
    }
  }

  std::string where(const TranslatedPacket& piece, const Holding& sink, Node translation) const {
    const Node node = group_.add(sink.node, translation);
    if (piece.owner == schedule::to_all)
      return fmt::format("node {}: part {} of the vector", node, piece.packet);
    return fmt::format("node {}: packet {} of node {}", node, piece.packet,
                       piece.owner_at(group_, translation));
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

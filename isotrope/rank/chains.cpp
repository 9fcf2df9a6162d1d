// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/rank/chains.hpp"

#include <utility>

namespace isotrope::rank {

class ChainSplit {
 public:
  ChainSplit(const RankProgram& program, std::uint32_t first_part, std::uint32_t parts)
      : program_(program), first_(first_part), end_(first_part + parts) {}

  RankProgram run() {
    static_cast<NodeBuffers&>(result_) = static_cast<const NodeBuffers&>(program_);
    result_.opening = own_copies(program_.opening);
    result_.closing = own_copies(program_.closing);
    result_.slots = program_.slots;
    for (std::size_t round = 0; round < program_.rounds(); ++round) {
      add_local_moves(round);
      add_messages(program_.sends(round));
      const auto sends = static_cast<std::uint32_t>(result_.messages_.size());
      add_messages(program_.receipts(round));
      result_.round_ends_.push_back({sends, static_cast<std::uint32_t>(result_.messages_.size())});
    }
    add_local_moves(program_.rounds());
    return std::move(result_);
  }

 private:
  bool is_own(std::uint32_t unit) const {
    const std::uint32_t part = unit % program_.parts;
    return first_ <= part && part < end_;
  }

  // Calls use(first, count) for every stretch of units of the chain in one block; both count from `unit` on.
  template <class Use>
  void own_stretches(std::uint32_t unit, std::uint32_t count, Use use) const {
    for (std::uint32_t begin = 0; begin < count;) {
      if (!is_own(unit + begin)) {
        ++begin;
        continue;
      }
      std::uint32_t end = begin + 1;
      while (end < count && is_own(unit + end) && (unit + end) % program_.parts != 0) ++end;
      use(begin, end - begin);
      begin = end;
    }
  }

  std::vector<BufferCopy> own_copies(const std::vector<BufferCopy>& copies) const {
    std::vector<BufferCopy> result;
    for (const BufferCopy& copy : copies) {
      own_stretches(copy.first_from, copy.count, [&](std::uint32_t first, std::uint32_t count) {
        result.push_back({copy.from, copy.to, copy.first_from + first, copy.first_to + first, count});
      });
    }
    return result;
  }

  void add_messages(std::span<const RankMessage> messages) {
    for (RankMessage message : messages) {
      const auto fragments = program_.fragments(message);
      message.first_fragment = static_cast<std::uint32_t>(result_.fragments_.size());
      for (const Fragment& fragment : fragments) add(fragment);
      message.fragments = static_cast<std::uint32_t>(result_.fragments_.size()) - message.first_fragment;
      if (message.fragments > 0) result_.messages_.push_back(message);
    }
  }

  void add(const Fragment& fragment) {
    own_stretches(fragment.unit, fragment.count, [&](std::uint32_t first, std::uint32_t count) {
      Fragment piece = fragment;
      piece.unit += first;
      piece.place += first;
      piece.own += first;
      piece.count = count;
      result_.fragments_.push_back(piece);
    });
  }

  void add_local_moves(std::size_t round) {
    if (program_.local_ends_.empty()) return;
    for (const LocalMove& move : program_.local_moves(round)) {
      if (is_own(move.part)) result_.local_moves_.push_back(move);
    }
    result_.local_ends_.push_back(static_cast<std::uint32_t>(result_.local_moves_.size()));
  }

  const RankProgram& program_;
  std::uint32_t first_, end_;
  RankProgram result_;
};

std::vector<RankProgram> split_into_chains(const RankProgram& program, std::uint32_t chains) {
  const std::uint32_t parts = program.parts / chains;
  std::vector<RankProgram> result;
  for (std::uint32_t chain = 0; chain < chains; ++chain)
    result.push_back(ChainSplit(program, chain * parts, parts).run());
  return result;
}

RankProgram cut_at_blocks(const RankProgram& program) {
  return ChainSplit(program, 0, program.parts).run();
}

}  // namespace isotrope::rank

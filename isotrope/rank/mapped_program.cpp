// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/rank/mapped_program.hpp"

#include <utility>
#include <vector>

#include "isotrope/rank/contents.hpp"

namespace isotrope::rank {
namespace {

using network::RankMap;

// The numbers that the units of each buffer get.
class UnitsOfRanks {
 public:
  UnitsOfRanks(const RankProgram& program, schedule::Collective collective, const RankMap& ranks)
      : ranks_(ranks), parts_(program.parts) {
    if (program.one_vector) return;
    const BlockMeanings meanings =
        block_meanings(program.reduces_gathered ? schedule::Collective::allgather : collective);
    input_moves_ = meanings.input == BlockMeaning::by_node && program.input_blocks > 1;
    output_moves_ = meanings.output == BlockMeaning::by_node && program.output_blocks > 1;
  }

  // Partial results lie as the input does.
  bool moves(Buffer buffer) const {
    if (buffer == Buffer::slots) return false;
    return buffer == Buffer::output ? output_moves_ : input_moves_;
  }
  std::uint32_t operator()(Buffer buffer, std::uint32_t unit) const {
    if (!moves(buffer)) return unit;
    return ranks_.rank_of(unit / parts_) * parts_ + unit % parts_;
  }

 private:
  const RankMap& ranks_;
  std::uint32_t parts_;
  bool input_moves_ = false, output_moves_ = false;
};

// The stretches of one or more units that stay together.
template <class Piece, class Cut, class Follows>
void append_pieces(std::vector<Piece>& pieces, std::uint32_t units, const Cut& cut, const Follows& follows) {
  const std::size_t first = pieces.size();
  for (std::uint32_t i = 0; i < units; ++i) {
    const Piece piece = cut(i);
    if (pieces.size() > first && follows(pieces.back(), piece)) {
      ++pieces.back().count;
    } else {
      pieces.push_back(piece);
    }
  }
}

std::vector<BufferCopy> mapped_copies(const std::vector<BufferCopy>& copies, const UnitsOfRanks& units) {
  std::vector<BufferCopy> result;
  for (const BufferCopy& copy : copies) {
    const auto cut = [&](std::uint32_t i) {
      return BufferCopy{copy.from, copy.to, units(copy.from, copy.first_from + i),
                        units(copy.to, copy.first_to + i), 1};
    };
    append_pieces(result, copy.count, cut, [](const BufferCopy& before, const BufferCopy& after) {
      return before.first_from + before.count == after.first_from &&
             before.first_to + before.count == after.first_to;
    });
  }
  return result;
}

// Whether pieces of a fragment are one, their units being adjacent.
bool follows(const Fragment& before, const Fragment& after) {
  return before.place + before.count == after.place &&
         (before.arrival != OnArrival::join || before.own + before.count == after.own);
}

// Partial results grow in the buffer that the input joins, so a fragment moves by its own buffer alone.
void append_mapped(std::vector<Fragment>& result, const Fragment& fragment, const UnitsOfRanks& units) {
  if (!units.moves(fragment.buffer)) return result.push_back(fragment);
  append_pieces(
      result, fragment.count,
      [&](std::uint32_t i) {
        Fragment piece = fragment;
        piece.count = 1;
        piece.unit = piece.place = units(fragment.buffer, fragment.place + i);
        if (piece.arrival == OnArrival::join) piece.own = units(Buffer::input, fragment.own + i);
        return piece;
      },
      follows);
}

}  // namespace

class ProgramMapping {
 public:
  ProgramMapping(RankProgram& program, const RankMap& ranks) : program_(program), ranks_(ranks) {}

  void name_peers() {
    for (RankMessage& message : program_.messages_) message.peer = ranks_.rank_of(message.peer);
  }
  void move_blocks(const UnitsOfRanks& units) {
    program_.opening = mapped_copies(program_.opening, units);
    program_.closing = mapped_copies(program_.closing, units);
    std::vector<Fragment> fragments;
    for (RankMessage& message : program_.messages_) {
      const auto first = static_cast<std::uint32_t>(fragments.size());
      for (const Fragment& fragment : program_.fragments(message)) append_mapped(fragments, fragment, units);
      message.first_fragment = first;
      message.fragments = static_cast<std::uint32_t>(fragments.size()) - first;
    }
    program_.fragments_ = std::move(fragments);
  }

 private:
  RankProgram& program_;
  const RankMap& ranks_;
};

RankProgram mapped(RankProgram program, schedule::Collective collective, const RankMap& ranks) {
  if (ranks.is_identity()) return program;
  for (RankProgram& chain : program.chains) chain = mapped(std::move(chain), collective, ranks);
  ProgramMapping mapping(program, ranks);
  mapping.name_peers();
  const UnitsOfRanks units(program, collective, ranks);
  if (units.moves(Buffer::input) || units.moves(Buffer::output)) mapping.move_blocks(units);
  return program;
}

}  // namespace isotrope::rank

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/chunk_moves.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "isotrope/exports/sizes.hpp"

namespace isotrope::exports {
namespace {

using rank::Buffer;
using rank::Message;
using rank::Piece;
using rank::Program;

// One end of a message: its pieces, in places of their own.
struct End {
  Port port;
  std::vector<Piece> pieces;
};
struct RoundEnds {
  std::vector<End> sends, receipts;
};

// The ends of all messages of one node, with transit places given out anew.
class Ends {
 public:
  Ends(const Program& program, std::vector<RoundEnds>& rounds) : program_(program), rounds_(rounds) {}

  /// Returns the number of transit places.
  std::uint32_t run() {
    place_of_.assign(program_.transit_units, 0);
    for (std::size_t t = 0; t < program_.rounds(); ++t) {
      RoundEnds ends;
      for (const Message& message : program_.sends(t))
        ends.sends.push_back(end(message, [this](Piece& piece) { leave(piece); }));
      for (const Message& message : program_.receipts(t))
        ends.receipts.push_back(end(message, [this](Piece& piece) { settle(piece); }));
      free_.insert(free_.end(), left_.begin(), left_.end());
      left_.clear();
      rounds_.push_back(std::move(ends));
    }
    return program_.mirrored ? program_.transit_units : places_;
  }

 private:
  template <class Relocate>
  End end(const Message& message, const Relocate& relocate) const {
    End result{message.port, {}};
    for (Piece piece : program_.pieces(message)) {
      if (piece.buffer == Buffer::transit && !program_.mirrored) relocate(piece);
      result.pieces.push_back(piece);
    }
    return result;
  }

  void leave(Piece& piece) {
    piece.place = place_of_[piece.place];
    left_.push_back(piece.place);
  }

  void settle(Piece& piece) {
    std::uint32_t place = places_;
    if (free_.empty()) {
      ++places_;
    } else {
      place = free_.back();
      free_.pop_back();
    }
    place_of_[piece.place] = place;
    piece.place = place;
  }

  const Program& program_;
  std::vector<RoundEnds>& rounds_;
  std::vector<std::uint32_t> place_of_;     // by slot of the program
  std::vector<std::uint32_t> free_, left_;  // left in this round
  std::uint32_t places_ = 0;
};

// Appends the moves of one message, cut where either end has a cut.
void append_moves(std::uint32_t round, std::span<const Piece> sent, std::span<const Piece> received,
                  std::vector<Move>& moves) {
  std::uint32_t sent_done = 0, received_done = 0;
  while (!sent.empty() && !received.empty()) {
    const Piece &source = sent.front(), &target = received.front();
    const std::uint32_t count = std::min({source.count - sent_done, target.count - received_done, most_move});
    moves.push_back({.round = round,
                     .count = count,
                     .from = {source.buffer, source.place + sent_done},
                     .to = {target.buffer, target.place + received_done},
                     .arrival = target.arrival,
                     .own = target.own + received_done});
    sent_done += count;
    received_done += count;
    if (sent_done == source.count) sent = sent.subspan(1), sent_done = 0;
    if (received_done == target.count) received = received.subspan(1), received_done = 0;
  }
}

const End& receipt_over(const RoundEnds& round, Port port) {
  return *std::ranges::find(round.receipts, port, &End::port);
}

}  // namespace

ChunkMoves chunk_moves(const Plan& plan) {
  require_writable(plan);
  const Network& network = plan.network;
  ChunkMoves result;
  result.rounds = static_cast<std::uint32_t>(plan.schedule.round_count());
  std::vector<std::vector<RoundEnds>> ends(network.order());
  for (Node node = 0; node < network.order(); ++node) {
    Program program = rank::compile(plan, node);
    const std::uint32_t transit = Ends(program, ends[node]).run();
    result.nodes.push_back({.input = program.input_blocks * program.parts,
                            .output = program.output_blocks * program.parts,
                            .transit = transit,
                            .opening = std::move(program.opening),
                            .closing = std::move(program.closing)});
  }
  result.links.resize(network.directed_links());
  for (Node node = 0; node < network.order(); ++node) {
    for (std::uint32_t t = 0; t < ends[node].size(); ++t) {
      for (const auto& [port, pieces] : ends[node][t].sends) {
        const End& other = receipt_over(ends[network.neighbour(node, port)][t], network.opposite(port));
        append_moves(t, pieces, other.pieces, result.links[std::size_t{node} * network.degree() + port]);
      }
    }
  }
  return result;
}

}  // namespace isotrope::exports

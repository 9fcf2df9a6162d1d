// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/rank_rounds.hpp"

#include <span>
#include <utility>

#include "isotrope/rank/program.hpp"

namespace isotrope::exports {
namespace {

using rank::Message;
using rank::Piece;
using rank::Program;

std::uint64_t bytes_of(const Program& program, const Message& message, const rank::Units& units) {
  std::uint64_t bytes = 0;
  for (const Piece& piece : program.pieces(message)) bytes += units.elements(piece.unit, piece.count);
  return bytes;
}

std::vector<Transfer> transfers(const Program& program, std::span<const Message> messages,
                                const rank::Units& units) {
  std::vector<Transfer> result;
  for (const Message& message : messages) {
    const std::uint64_t bytes = bytes_of(program, message, units);
    if (bytes > 0) result.push_back({message.peer, message.port, bytes});
  }
  return result;
}

std::uint64_t combined(const Program& program, std::span<const Message> receipts, const rank::Units& units) {
  std::uint64_t bytes = 0;
  for (const Message& message : receipts) {
    for (const Piece& piece : program.pieces(message)) {
      if (piece.arrival != rank::Arrival::store) bytes += units.elements(piece.unit, piece.count);
    }
  }
  return bytes;
}

}  // namespace

std::vector<RankRound> rank_rounds(const Plan& plan, Node rank, std::uint64_t block_bytes) {
  require_writable(plan);
  const PacketSizes sizes(plan, block_bytes);
  const Program program = rank::compile(plan, rank);
  std::vector<RankRound> rounds;
  for (std::size_t t = 0; t < program.rounds(); ++t) {
    RankRound round{.round = static_cast<std::uint32_t>(t),
                    .sends = transfers(program, program.sends(t), sizes.units()),
                    .receipts = transfers(program, program.receipts(t), sizes.units()),
                    .combined_bytes = combined(program, program.receipts(t), sizes.units())};
    if (!round.sends.empty() || !round.receipts.empty()) rounds.push_back(std::move(round));
  }
  return rounds;
}

}  // namespace isotrope::exports

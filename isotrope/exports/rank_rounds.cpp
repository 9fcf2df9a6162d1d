// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/rank_rounds.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "isotrope/network/rates.hpp"

#include "isotrope/rank/program.hpp"

namespace isotrope::exports {
namespace {

using rank::Fragment;
using rank::RankMessage;
using rank::RankProgram;

// The bytes of the fragments of a message that `counts` accepts.
template <class Counts>
std::uint64_t bytes_of(const RankProgram& program, const RankMessage& message,
                       const rank::Segmentation& units, const Counts& counts) {
  std::uint64_t bytes = 0;
  for (const Fragment& fragment : program.fragments(message)) {
    if (counts(fragment)) bytes += units.elements(fragment.unit, fragment.count);
  }
  return bytes;
}

// Copies of opposite ports have the same place, so both ends of a message find the same tag.
class Tags {
 public:
  explicit Tags(const network::Network& network) : places_(network.degree()) {
    for (const std::vector<Port>& copies : network::without_copies(network).copies) {
      most_ = std::max<std::uint64_t>(most_, copies.size());
      for (std::size_t k = 0; k < copies.size(); ++k) places_[copies[k]] = k;
    }
  }
  std::uint64_t of(std::size_t round, Port port) const { return round * most_ + places_[port]; }

 private:
  std::vector<std::uint64_t> places_;  // by port, among those that lead the same way
  std::uint64_t most_ = 1;
};

std::vector<RankTransfer> transfers(const RankProgram& program, std::span<const RankMessage> messages,
                                    const rank::Segmentation& units, std::size_t round, const Tags& tags) {
  std::vector<RankTransfer> result;
  for (const RankMessage& message : messages) {
    const std::uint64_t bytes = bytes_of(program, message, units, [](const Fragment&) { return true; });
    if (bytes > 0) result.push_back({message.peer, message.port, bytes, tags.of(round, message.port)});
  }
  return result;
}

// The bytes that the node adds up by itself before the sends of `round`, or after the last one.
std::uint64_t bytes_added(const RankProgram& program, std::size_t round, const rank::Segmentation& units) {
  std::uint64_t bytes = 0;
  for (const rank::LocalMove& move : program.local_moves(round))
    bytes += move.arrival == rank::OnArrival::combine ? units.elements(move.part, 1) : 0;
  return bytes;
}

}  // namespace

std::vector<RankRound> rank_rounds(const Plan& plan, Node rank, std::uint64_t block_bytes) {
  require_writable(plan);
  rank::require_all_nodes(plan);
  const PacketSizes sizes(plan, block_bytes);
  const RankProgram program = rank::compile(plan, rank);
  const Tags tags(hop_network(plan));
  std::vector<RankRound> rounds;
  for (std::size_t t = 0; t < program.rounds(); ++t) {
    RankRound round{.round = static_cast<std::uint32_t>(t),
                    .sends = transfers(program, program.sends(t), sizes.units(), t, tags),
                    .receipts = transfers(program, program.receipts(t), sizes.units(), t, tags),
                    .combined_bytes = 0};
    for (const RankMessage& message : program.receipts(t)) {
      round.combined_bytes += bytes_of(program, message, sizes.units(), [](const Fragment& fragment) {
        return fragment.arrival != rank::OnArrival::store;
      });
    }
    round.combined_bytes += bytes_added(program, t + 1, sizes.units());
    if (!round.sends.empty() || !round.receipts.empty()) {
      rounds.push_back(std::move(round));
    } else if (!rounds.empty()) {  // what came earlier is added up for a later round
      rounds.back().combined_bytes += round.combined_bytes;
    }
  }
  return rounds;
}

}  // namespace isotrope::exports

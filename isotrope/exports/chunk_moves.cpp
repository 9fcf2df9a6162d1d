// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/chunk_moves.hpp"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "isotrope/rank/moves.hpp"
#include "isotrope/rank/program.hpp"

#include "isotrope/exports/sizes.hpp"

namespace isotrope::exports {
namespace {

using rank::Buffer;
using rank::NodeBuffers;

bool follows(rank::Place before, std::uint32_t count, rank::Place after) {
  return before.buffer == after.buffer && before.buffer != Buffer::slots &&
         before.index + count == after.index;
}

// Whether the chunk goes on where the move ends.
bool follows(const ChunkMove& before, const ChunkMove& chunk) {
  return before.round == chunk.round && before.arrival == chunk.arrival && before.count < most_move &&
         follows(before.from, before.count, chunk.from) && follows(before.to, before.count, chunk.to);
}

class ChunkWriter {
 public:
  ChunkWriter(const Plan& plan, ChunkMoves& result) : network_(hop_network(plan)), result_(result) {
    result_.links.resize(network_.directed_links());
  }

  void add_round(std::span<const rank::PacketMove> round) {
    std::vector<rank::PacketMove> moves(round.begin(), round.end());
    std::ranges::stable_sort(moves, {}, [](const rank::PacketMove& move) {
      const bool has_unit = move.from.buffer != Buffer::slots;
      return std::tuple(move.sender, move.port, has_unit ? move.from.index : 0);
    });
    for (const rank::PacketMove& move : moves) add(move);
    ++result_.rounds;
  }

 private:
  void add(const rank::PacketMove& move) {
    std::vector<ChunkMove>& link = result_.links[std::size_t{move.sender} * network_.degree() + move.port];
    const ChunkMove chunk{.round = result_.rounds,
                          .count = 1,
                          .from = move.from,
                          .to = move.to,
                          .arrival = move.arrival,
                          .own = move.to.index};
    if (!link.empty() && follows(link.back(), chunk)) {
      ++link.back().count;
    } else {
      link.push_back(chunk);
    }
  }

  const Network& network_;
  ChunkMoves& result_;
};

}  // namespace

ChunkMoves chunk_moves(const Plan& plan) {
  require_writable(plan);
  rank::require_all_nodes(plan);
  ChunkMoves result;
  ChunkWriter writer(plan, result);
  const rank::MovePlan moves =
      rank::compile_moves(plan, rank::NodeForm::by_node,
                          [&](std::span<const rank::PacketMove> round) { writer.add_round(round); });
  for (Node node = 0; node < plan.network.order(); ++node) {
    rank::UnitNumbers numbers;
    NodeBuffers buffers = rank::lay_out(plan, node, node, rank::ReductionForm::blockwise, numbers);
    const std::uint32_t input = buffers.input_blocks * buffers.parts;
    result.nodes.push_back({.input = input,
                            .output = buffers.output_blocks * buffers.parts,
                            .transit = buffers.partial_results ? input : moves.buffers[node].slots,
                            .opening = std::move(buffers.opening),
                            .closing = std::move(buffers.closing)});
  }
  return result;
}

}  // namespace isotrope::exports

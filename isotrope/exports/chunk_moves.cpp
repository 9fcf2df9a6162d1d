// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/chunk_moves.hpp"

#include <algorithm>
#include <span>
#include <tuple>

#include "isotrope/rank/moves.hpp"
#include "isotrope/rank/program.hpp"

#include "isotrope/exports/sizes.hpp"

namespace isotrope::exports {
namespace {

using rank::Buffer;
using rank::PacketMove;
using schedule::Collective;

bool follows(rank::Place before, std::uint32_t count, rank::Place after) {
  return before.buffer == after.buffer && before.buffer != Buffer::slots &&
         before.index + count == after.index;
}

// Whether `chunk` extends the move `before`.
bool follows(const ChunkMove& before, const ChunkMove& chunk, std::uint32_t most_move) {
  return before.round == chunk.round && before.arrival == chunk.arrival && before.count < most_move &&
         follows(before.from, before.count, chunk.from) && follows(before.to, before.count, chunk.to);
}

}  // namespace

ChunkMoves chunk_moves(const Plan& plan, std::uint32_t most_move) {
  require_writable(plan);
  rank::require_all_nodes(plan);
  const Network& network = hop_network(plan);
  ChunkMoves result;
  result.links.resize(network.directed_links());
  const auto add_round = [&](std::span<const PacketMove> round) {
    std::vector<PacketMove> moves(round.begin(), round.end());
    std::ranges::stable_sort(moves, {}, [](const PacketMove& move) {
      const bool has_unit = move.from.buffer != Buffer::slots;
      return std::tuple(move.sender, move.port, has_unit ? move.from.index : 0);
    });
    for (const PacketMove& move : moves) {
      std::vector<ChunkMove>& link = result.links[std::size_t{move.sender} * network.degree() + move.port];
      const ChunkMove chunk{.round = result.rounds,
                            .count = 1,
                            .from = move.from,
                            .to = move.to,
                            .arrival = move.arrival,
                            .own = move.to.index};
      if (!link.empty() && follows(link.back(), chunk, most_move)) {
        ++link.back().count;
      } else {
        link.push_back(chunk);
      }
    }
    ++result.rounds;
  };
  const rank::MovePlan moves = rank::compile_moves(plan, rank::NodeForm::by_node, add_round);
  for (Node node = 0; node < plan.network.order(); ++node) {
    rank::UnitNumbers numbers;
    rank::NodeBuffers buffers = rank::lay_out(plan, node, node, numbers);
    const std::uint32_t input = buffers.input_blocks * buffers.parts;
    result.nodes.push_back({.input = input,
                            .output = buffers.output_blocks * buffers.parts,
                            .transit = buffers.partial_results ? input : moves.buffers[node].slots,
                            .opening = std::move(buffers.opening),
                            .closing = std::move(buffers.closing)});
  }
  return result;
}

bool has_form_in_place(Collective collective) {
  return collective == Collective::broadcast || collective == Collective::allgather ||
         (schedule::reduces(collective) && collective != Collective::barrier);
}

std::uint32_t most_chunks(const std::vector<ChunkBuffers>& nodes) {
  std::uint32_t chunks = 0;
  for (const ChunkBuffers& buffers : nodes) chunks = std::max({chunks, buffers.input, buffers.output});
  return chunks;
}

ChunkCells::ChunkCells(const Plan& plan, const ChunkBuffers& buffers, Node node)
    : output_(buffers.input), transit_(output_ + buffers.output), count_(transit_ + buffers.transit) {
  const Collective collective = plan.task.collective;
  const std::size_t own = std::size_t{node} * plan.task.parts;
  if (!has_form_in_place(collective)) return;
  if (collective == Collective::allgather) {
    input_ = output_ + own;
  } else if (buffers.input > 0) {
    output_ = collective == Collective::reduce_scatter ? own : 0;
  }
}

}  // namespace isotrope::exports

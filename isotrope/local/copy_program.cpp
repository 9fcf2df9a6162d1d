// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/copy_program.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/local/whole_numbers.hpp"
#include "isotrope/rank/moves.hpp"
#include "isotrope/rank/segmentation.hpp"

namespace isotrope::local {
namespace {

using rank::Buffer;
using rank::ClassBuffers;
using rank::MovePlan;
using rank::PacketMove;
using rank::Place;
using schedule::Plan;

constexpr std::uint64_t cache_line = 64;

// A place as a number, until the sizes of all buffers are known and Lowering::place() makes it an offset.
std::uint64_t packed(Place place) {
  return std::uint64_t{static_cast<std::uint8_t>(place.buffer)} << 32U | place.index;
}

Place unpacked(std::uint64_t number) {
  return {static_cast<Buffer>(number >> 32U), static_cast<std::uint32_t>(number)};
}

Contributors contributors_of(schedule::Collective collective) {
  if (collective == schedule::Collective::scan) return Contributors::up_to_node;
  return collective == schedule::Collective::exscan ? Contributors::before_node : Contributors::all;
}

// Translates moves to copies, and places to offsets.
class Lowering {
 public:
  Lowering(const Plan& plan, std::uint64_t block_bytes, Reduction reduction)
      : network_(hop_network(plan)),
        block_bytes_(block_bytes),
        element_bytes_(element_bytes(reduction.type)),
        parts_(plan.task.parts),
        units_(rank::Segmentation::of_blocks(block_bytes / element_bytes_, parts_)),
        program_{.cosets = Cosets(network_.group(), rank::common_replication(plan)),
                 .contributors = contributors_of(plan.task.collective),
                 .reduction = reduction,
                 .combine = combine_function(reduction),
                 .largest_piece = units_.largest() * element_bytes_} {}

  CopyProgram run(const Plan& plan) {
    const MovePlan moves = rank::compile_moves(plan, rank::NodeForm::by_class,
                                               [this](std::span<const PacketMove> step) { add_step(step); });
    buffers_ = moves.buffers;
    program_.survivors = moves.up;
    for (const ClassBuffers& buffers : buffers_) program_.arena_bytes.push_back(arena_bytes(buffers));
    for (const rank::MovedPacket& packet : moves.packets) program_.pieces.push_back(piece(packet));
    program_.sources = holdings(moves.sources);
    program_.sinks = holdings(moves.sinks);
    for (Copy& copy : program_.copies) place(copy);
    return std::move(program_);
  }

 private:
  // ---- the arena of a class: input, the output blocks that are not input blocks, slots

  std::uint64_t blocks_before_slots(const ClassBuffers& buffers) const {
    return std::uint64_t{buffers.input_blocks} + buffers.output_blocks - buffers.own_blocks;
  }
  std::uint64_t arena_bytes(const ClassBuffers& buffers) const {
    const std::uint64_t blocks = saturating_multiply(blocks_before_slots(buffers), block_bytes_);
    const std::uint64_t slots = saturating_multiply(buffers.slots, units_.largest() * element_bytes_);
    return saturating_multiply(saturating_add(blocks, slots) / cache_line + 1, cache_line);
  }

  std::uint64_t offset(Node node, Place place) const {
    const ClassBuffers& buffers = buffers_[program_.cosets.class_of(node)];
    if (place.buffer == Buffer::slots)
      return blocks_before_slots(buffers) * block_bytes_ + place.index * units_.largest() * element_bytes_;
    const bool is_apart = place.buffer == Buffer::output && place.index >= buffers.own_blocks * parts_;
    const std::uint64_t skipped =
        is_apart ? (std::uint64_t{buffers.input_blocks} - buffers.own_blocks) * parts_ : 0;
    return units_.begin(place.index + skipped) * element_bytes_;
  }

  // ---- packets

  TranslatedPacket piece(const rank::MovedPacket& moved) const {
    const std::uint32_t part = moved.packet.part;
    return {.packet = moved.id,
            .owner = moved.owner,
            .block = moved.packet.block,
            .combined = moved.reduced,
            .offset = units_.begin(part) * element_bytes_,
            .bytes = bytes_of(part)};
  }

  std::vector<Holding> holdings(const std::vector<rank::PacketPlace>& places) const {
    std::vector<Holding> result;
    result.reserve(places.size());
    for (const auto& [packet, node, place] : places)
      result.push_back({packet, node, place ? offset(node, *place) : nowhere});
    return result;
  }

  // ---- copies

  void add_step(std::span<const PacketMove> step) {
    const auto begin = static_cast<std::ptrdiff_t>(program_.copies.size());
    for (const PacketMove& move : step) {
      program_.copies.push_back({.source = packed(move.from),
                                 .target = packed(move.to),
                                 .bytes = bytes_of(move.part),
                                 .receivers = program_.cosets.class_of(move.receiver),
                                 .back = move.is_local() ? inside : network_.opposite(move.port),
                                 .adds = move.arrival != rank::OnArrival::store});
      if (!move.is_local()) program_.bytes_moved += program_.copies.back().bytes * program_.cosets.size();
    }
    std::ranges::stable_sort(program_.copies.begin() + begin, program_.copies.end(), {}, &Copy::receivers);
    program_.step_ends.push_back(program_.copies.size());
  }

  void place(Copy& copy) const {
    const Node receiver = program_.cosets.nodes()[copy.receivers * program_.cosets.size()];
    const Node sender = copy.back == inside ? receiver : network_.neighbour(receiver, copy.back);
    copy.source = offset(sender, unpacked(copy.source));
    copy.target = offset(receiver, unpacked(copy.target));
  }

  std::uint64_t bytes_of(std::uint32_t part) const { return units_.elements(part, 1) * element_bytes_; }

  const network::Network& network_;
  std::uint64_t block_bytes_;
  std::uint64_t element_bytes_;
  std::uint32_t parts_;
  rank::Segmentation units_;
  CopyProgram program_;
  std::vector<ClassBuffers> buffers_;  // by class
};

}  // namespace

std::uint64_t CopyProgram::memory_bytes() const {
  std::uint64_t total = 0;
  for (const std::uint64_t bytes : arena_bytes) {
    total = saturating_add(total, saturating_multiply(bytes, cosets.size()));
  }
  return total;
}

std::span<const Copy> CopyProgram::step(std::uint64_t t) const {
  const std::uint64_t begin = t == 0 ? 0 : step_ends[t - 1];
  return std::span(copies).subspan(begin, step_ends[t] - begin);
}

CopyProgram compile(const schedule::Plan& plan, std::uint64_t block_bytes, Reduction reduction) {
  if (block_bytes == 0) throw Error("blocks of 0 bytes: give blocks of 1 byte or more");
  if (const std::uint64_t width = element_bytes(reduction.type); block_bytes % width != 0) {
    throw Error(
        fmt::format("blocks of {} bytes are no whole number of elements of type {}: give a multiple of {}",
                    block_bytes, name_of(reduction.type), width));
  }
  if (plan.task.parts == 0) throw Error("a task of 0 parts: give 1 or more");
  return Lowering(plan, block_bytes, reduction).run(plan);
}

}  // namespace isotrope::local

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/msccl.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/io/byte_buffer.hpp"

#include "isotrope/exports/thread_blocks.hpp"

namespace isotrope::exports {
namespace {

using schedule::Collective;
using schedule::Plan;

void require_collective(const Plan& plan) {
  if (plan.task.collective == Collective::barrier)
    throw Error("barrier for MSCCL: it has none; give a collective that moves something");
  if (plan.network.order() == 1) throw Error("one node for MSCCL: give a network of 2 nodes or more");
}

std::string_view name_of(Collective collective) {
  switch (collective) {
    case Collective::allreduce:
      return "allreduce";
    case Collective::allgather:
      return "allgather";
    case Collective::reduce:
      return "reduce";
    case Collective::broadcast:
      return "broadcast";
    case Collective::alltoall:
      return "alltoall";
    case Collective::reduce_scatter:
      return "reduce_scatter";
    default:
      return "custom";
  }
}

std::string_view name_of(StepKind kind) {
  switch (kind) {
    case StepKind::send:
      return "s";
    case StepKind::receive:
      return "r";
    case StepKind::receive_reduce:
      return "rrc";
    case StepKind::copy:
      return "cpy";
    case StepKind::nop:
      break;
  }
  return "nop";
}

char name_of(rank::Buffer buffer) {
  return buffer == rank::Buffer::input ? 'i' : buffer == rank::Buffer::output ? 'o' : 's';
}

// The chunks of the longest buffer of any GPU.
std::uint32_t most_chunks(const ChunkMoves& moves) {
  std::uint32_t chunks = 0;
  for (const ChunkBuffers& buffers : moves.nodes) chunks = std::max({chunks, buffers.input, buffers.output});
  return chunks;
}

void put_step(io::ByteBuffer& out, std::size_t number, const ThreadStep& step) {
  out.put(fmt::format("      <step s=\"{}\" type=\"{}\" ", number, name_of(step.kind)));
  if (step.kind == StepKind::nop) {
    out.put("srcbuf=\"i\" srcoff=\"-1\" dstbuf=\"o\" dstoff=\"-1\" ");
  } else {
    out.put(fmt::format("srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" dstoff=\"{}\" ", name_of(step.from.buffer),
                        step.from.index, name_of(step.to.buffer), step.to.index));
  }
  out.put(fmt::format("cnt=\"{}\" depid=\"{}\" deps=\"{}\" hasdep=\"{}\"/>\n", step.count, step.awaited_block,
                      step.awaited_step, step.is_awaited ? 1 : 0));
}

void put_block(io::ByteBuffer& out, std::size_t number, const ThreadBlock& block) {
  out.put(fmt::format("    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"{}\">\n", number, block.send,
                      block.receive, block.channel));
  for (std::size_t s = 0; s < block.steps.size(); ++s) put_step(out, s, block.steps[s]);
  out.put("    </tb>\n");
}

}  // namespace

void write_msccl(std::ostream& out, const Plan& plan) {
  require_collective(plan);
  const ChunkMoves moves = chunk_moves(plan);
  const ThreadBlocks blocks = thread_blocks(plan, moves);
  const std::string_view collective = name_of(plan.task.collective);
  const std::uint32_t chunks = most_chunks(moves);
  const bool is_custom = collective == "custom";

  io::ByteBuffer buffer(out);
  buffer.put(fmt::format(
      "<algo name=\"{} on {}\" proto=\"Simple\" nchannels=\"{}\" nchunksperloop=\"{}\" "
      "ngpus=\"{}\" coll=\"{}\" inplace=\"{}\" outofplace=\"1\" minBytes=\"0\" "
      "maxBytes=\"{}\">\n",
      schedule::to_string(plan.task), plan.network.name(), blocks.channels, chunks, plan.network.order(),
      collective, has_form_in_place(plan.task.collective) ? 1 : 0, std::uint64_t{1} << 40U));
  for (std::size_t gpu = 0; gpu < blocks.gpus.size(); ++gpu) {
    const ChunkBuffers& own = moves.nodes[gpu];
    buffer.put(fmt::format("  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">\n", gpu,
                           is_custom ? chunks : own.input, is_custom ? chunks : own.output, own.transit));
    for (std::size_t b = 0; b < blocks.gpus[gpu].size(); ++b) put_block(buffer, b, blocks.gpus[gpu][b]);
    buffer.put("  </gpu>\n");
  }
  buffer.put("</algo>\n");
  buffer.flush();
}

}  // namespace isotrope::exports

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/msccl.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/io/byte_buffer.hpp"

#include "isotrope/exports/thread_blocks.hpp"

namespace isotrope::exports {
namespace {

using schedule::Collective;
using schedule::Plan;

// In the order of StepKind.
constexpr std::array<std::string_view, 5> step_names = {"s", "r", "rrc", "cpy", "nop"};

std::string name_of(Collective collective) {
  constexpr std::array known = {Collective::allreduce, Collective::allgather, Collective::reduce,
                                Collective::broadcast, Collective::alltoall,  Collective::reduce_scatter};
  if (std::ranges::find(known, collective) == known.end()) return "custom";
  std::string name(schedule::traits_of(collective).name);
  std::ranges::replace(name, '-', '_');
  return name;
}

char name_of(rank::Buffer buffer) {
  return buffer == rank::Buffer::input ? 'i' : buffer == rank::Buffer::output ? 'o' : 's';
}

void put_step(io::ByteBuffer& out, std::size_t number, const ThreadStep& step) {
  out.put(fmt::format("      <step s=\"{}\" type=\"{}\" ", number,
                      step_names[static_cast<std::size_t>(step.kind)]));
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
  if (plan.task.collective == Collective::barrier)
    throw Error("barrier for MSCCL: it has none; give a collective that moves something");
  if (plan.network.order() == 1) throw Error("one node for MSCCL: give a network of 2 nodes or more");
  const ThreadBlocks blocks = thread_blocks(plan);
  const std::string collective = name_of(plan.task.collective);
  const std::uint32_t chunks = most_chunks(blocks.buffers);
  const bool is_custom = collective == "custom";

  io::ByteBuffer buffer(out);
  buffer.put(fmt::format(
      "<algo name=\"{} on {}\" proto=\"Simple\" nchannels=\"{}\" nchunksperloop=\"{}\" "
      "ngpus=\"{}\" coll=\"{}\" inplace=\"{}\" outofplace=\"1\" minBytes=\"0\" "
      "maxBytes=\"{}\">\n",
      schedule::to_string(plan.task), plan.network.name(), blocks.channels, chunks, plan.network.order(),
      collective, has_form_in_place(plan.task.collective) ? 1 : 0, std::uint64_t{1} << 40U));
  for (std::size_t gpu = 0; gpu < blocks.gpus.size(); ++gpu) {
    const ChunkBuffers& own = blocks.buffers[gpu];
    buffer.put(fmt::format("  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">\n", gpu,
                           is_custom ? chunks : own.input, is_custom ? chunks : own.output, own.transit));
    for (std::size_t b = 0; b < blocks.gpus[gpu].size(); ++b) put_block(buffer, b, blocks.gpus[gpu][b]);
    buffer.put("  </gpu>\n");
  }
  buffer.put("</algo>\n");
  buffer.flush();
}

}  // namespace isotrope::exports

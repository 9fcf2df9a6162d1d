// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/mscclpp.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"

#include "isotrope/io/byte_buffer.hpp"

#include "isotrope/exports/mscclpp_lanes.hpp"

namespace isotrope::exports {
namespace {

using schedule::Collective;
using schedule::Plan;

// In the order of OperationKind.
constexpr std::array<std::string_view, 9> operation_names = {
    "nop", "barrier", "signal", "wait", "put", "copy", "re", "sem_acquire", "sem_release"};
constexpr unsigned threads_a_block = 1024;
constexpr unsigned alignment = 16;  // bytes

std::string_view name_of(Collective collective) {
  switch (collective) {
    case Collective::allgather:
      return "allgather";
    case Collective::allreduce:
      return "allreduce";
    case Collective::alltoall:
      return "alltoall";
    case Collective::broadcast:
      return "broadcast";
    case Collective::reduce_scatter:
      return "reducescatter";
    default:
      return "custom";
  }
}

// Whether every GPU has an input and an output of the collective's own size.
bool has_own_sizes(Collective collective) {
  return collective == Collective::allgather || collective == Collective::allreduce ||
         collective == Collective::alltoall || collective == Collective::reduce_scatter;
}

// The elements of a JSON list on lines of their own.
template <class List, class Put>
void put_list(io::ByteBuffer& out, std::string_view indent, const List& list, const Put& put) {
  for (std::size_t k = 0; k < list.size(); ++k) {
    out.put(k == 0 ? "\n" : ",\n");
    out.put(indent);
    put(list[k], k);
  }
}

std::string local(const ChunkSpan& span) {
  return fmt::format(R"({{"type": "{}", "index": {}, "size": {}}})", span.buffer, span.index, span.count);
}

std::string all_local(const std::vector<ChunkSpan>& spans) {
  std::vector<std::string> texts;
  for (const ChunkSpan& span : spans) texts.push_back(local(span));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string all_remote(const LaneOperation& put) {
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < put.to.size(); ++k)
    texts.push_back(fmt::format(R"({{"buffer_id": {}, "index": {}, "size": {}}})", put.buffers[k],
                                put.to[k].index, put.to[k].count));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

void put_operation(io::ByteBuffer& out, const LaneOperation& operation, unsigned lanes) {
  out.put(fmt::format(R"({{"name": "{}")", operation_names[static_cast<std::size_t>(operation.kind)]));
  switch (operation.kind) {
    case OperationKind::nop:
      break;
    case OperationKind::barrier:
      out.put(fmt::format(R"(, "barrier_id": 0, "num_threadblocks": {})", lanes));
      break;
    case OperationKind::signal:
    case OperationKind::wait:
      out.put(
          fmt::format(R"(, "channel_ids": [{}], "channel_type": "memory")", fmt::join(operation.ids, ", ")));
      break;
    case OperationKind::put:
      out.put(fmt::format(R"(, "src_buff": {}, "dst_buff": {}, "channel_type": "memory")",
                          all_local(operation.from), all_remote(operation)));
      break;
    case OperationKind::copy:
    case OperationKind::reduce:
      out.put(fmt::format(R"(, "src_buff": {}, "dst_buff": {})", all_local(operation.from),
                          all_local(operation.to)));
      if (operation.kind == OperationKind::reduce) out.put(R"(, "reduce_op": "sum")");
      break;
    case OperationKind::acquire:
    case OperationKind::release:
      out.put(fmt::format(R"(, "semaphore_ids": [{}])", fmt::join(operation.ids, ", ")));
      break;
  }
  out.put('}');
}

void put_block(io::ByteBuffer& out, std::size_t id, const Lane& lane, const std::vector<LaneOperation>& block,
               unsigned lanes) {
  out.put(fmt::format(R"({{"id": {}, "ops": [)", id));
  put_list(out, "      ", block,
           [&](const LaneOperation& operation, std::size_t) { put_operation(out, operation, lanes); });
  out.put("],\n     \"channels\": [");
  if (!lane.channels.empty())
    out.put(
        fmt::format(R"({{"channel_type": "memory", "channel_ids": [{}]}})", fmt::join(lane.channels, ", ")));
  out.put("],\n     \"remote_buffer_refs\": [");
  if (!lane.buffers.empty())
    out.put(fmt::format(R"({{"access_channel_type": "memory", "remote_buffer_ids": [{}]}})",
                        fmt::join(lane.buffers, ", ")));
  out.put("]}");
}

struct Chunks {
  std::uint32_t input = 0;
  std::uint32_t output = 0;
};

void put_gpu(io::ByteBuffer& out, std::size_t id, const LanedGpu& gpu, const Chunks& chunks) {
  out.put(
      fmt::format("{{\"id\": {}, \"input_chunks\": {}, \"output_chunks\": {}, \"scratch_chunks\": {},\n"
                  "   \"threadblocks\": [",
                  id, chunks.input, chunks.output, gpu.scratch));
  std::size_t number = 0;
  for (const Lane& lane : gpu.lanes) {
    for (const std::vector<LaneOperation>& block : lane.blocks) {
      out.put(number == 0 ? "\n    " : ",\n    ");
      put_block(out, number++, lane, block, static_cast<unsigned>(gpu.lanes.size()));
    }
  }
  out.put("],\n   \"channels\": [");
  if (!gpu.peers.empty())
    out.put(fmt::format(R"({{"channel_type": "memory", "connected_to": [{}]}})", fmt::join(gpu.peers, ", ")));
  out.put("],\n   \"remote_buffers\": [");
  put_list(out, "    ", gpu.buffers, [&](const RemoteBuffer& buffer, std::size_t) {
    out.put(fmt::format(R"({{"rank": {}, "type": "{}", "access_channel_types": ["memory"]}})", buffer.gpu,
                        buffer.buffer));
  });
  out.put("],\n   \"semaphores\": [");
  for (std::uint32_t k = 0; k < gpu.semaphores; ++k)
    out.put(k == 0 ? R"({"init_value": 0})" : R"(, {"init_value": 0})");
  out.put("]}");
}

}  // namespace

void write_mscclpp(std::ostream& out, const Plan& plan) {
  const Collective collective = plan.task.collective;
  if (collective == Collective::barrier)
    throw Error("barrier for MSCCL++: it has none; give a collective that moves something");
  if (plan.network.order() == 1) throw Error("one node for MSCCL++: give a network of 2 nodes or more");
  const LanedPlan lanes = laned(plan);
  const std::uint32_t longest = most_chunks(lanes.nodes);

  io::ByteBuffer buffer(out);
  buffer.put(
      fmt::format("{{\"name\": \"{} on {}\", \"collective\": \"{}\", \"protocol\": \"Simple\", "
                  "\"inplace\": {}, \"reuse_resources\": false,\n \"gpus\": [",
                  schedule::to_string(plan.task), plan.network.name(), name_of(collective),
                  has_form_in_place(collective)));
  put_list(buffer, "  ", lanes.gpus, [&](const LanedGpu& gpu, std::size_t id) {
    const ChunkBuffers& own = lanes.nodes[id];
    put_gpu(buffer, id, gpu,
            has_own_sizes(collective) ? Chunks{own.input, own.output} : Chunks{longest, longest});
  });
  buffer.put(
      fmt::format("],\n \"num_threads_per_block\": {}, \"use_double_scratch_buffer\": false, "
                  "\"buffer_alignment\": {},\n \"min_message_size\": 0, \"max_message_size\": {}}}\n",
                  threads_a_block, alignment, UINT64_MAX));
  buffer.flush();
}

}  // namespace isotrope::exports

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan as an execution plan of MSCCL++, the JSON that its executor loads.
//
//     {"name", "collective", "protocol": "Simple", "inplace", "reuse_resources", "gpus": [
//       {"id", "input_chunks", "output_chunks", "scratch_chunks",
//        "threadblocks": [{"id", "ops": [...], "channels": [{"channel_type", "channel_ids"}],
//                          "remote_buffer_refs": [{"access_channel_type", "remote_buffer_ids"}]}],
//        "channels": [{"channel_type", "connected_to"}],
//        "remote_buffers": [{"rank", "type", "access_channel_types"}],
//        "semaphores": [{"init_value"}]}],
//      "num_threads_per_block", "use_double_scratch_buffer", "buffer_alignment",
//      "min_message_size", "max_message_size"}
//
//     buffers    i input    o output    s scratch        chunks: one part of one block, all of one size
//     ops        nop barrier signal wait put copy re sem_acquire sem_release
//
// Operations, their order and their limits are those of mscclpp_lanes.hpp. All channels are memory channels. A
// collective without a name in MSCCL++ is `custom`. The executor divides by the number of chunks of input and of output,
// and requires chunks of one size in both. So buffers that are not of the collective's own size have as many chunks
// as the longest of any GPU; the chunks that a GPU uses come first.
//
// Sizes: input and output must be multiples of 16 bytes times their chunks.
//
// Source: MSCCL++'s loader (execution_plan.cc), kernel (execution_kernel.hpp) and language (python/mscclpp/language).
// Cost: O(operations).
#pragma once

#include <iosfwd>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::exports {

/// Writes the execution plan.
/// @pre the plan is valid (verify it first).
/// @throws Error if the executor could not run the plan (a barrier, a single node, too many thread blocks), or if
/// the plan has too many hops or failed nodes.
void write_mscclpp(std::ostream& out, const schedule::Plan& plan);

}  // namespace isotrope::exports

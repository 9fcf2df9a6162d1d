// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/workload.hpp"

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::cost {

void check(const Workload& workload, const schedule::Task& task) {
  const auto [block, packet] = workload;
  if (task.parts == 0) throw Error("a plan of 0 parts: give a plan that cuts its blocks into 1 part or more");
  if (block == 0 || block > most_block_bytes)
    throw Error(fmt::format("a block of {} bytes: give 1 to {}", block, most_block_bytes));
  if (packet == 0 || packet > block)
    throw Error(fmt::format("packets of {} bytes: give 1 to {}, the bytes of the block", packet, block));
  const std::uint64_t made = (block - 1) / packet + 1;
  const std::uint64_t smallest = Workload::in_parts(block, task.parts).packet_bytes;
  if (made == task.parts || packet == smallest) return;
  throw Error(
      fmt::format("packets of {} bytes cut a block of {} bytes into {} parts, and the plan has {}: give "
                  "packets of {} bytes, "
                  "or plan for {} parts",
                  packet, block, made, task.parts, smallest, made));
}

}  // namespace isotrope::cost

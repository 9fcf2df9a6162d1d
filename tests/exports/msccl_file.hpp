// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// An MSCCL algorithm as its loader finds it, and a machine that runs it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::exports {

struct MscclStep {
  std::string type;
  char from_buffer = 'i', to_buffer = 'i';
  std::int64_t from = 0, to = 0;
  std::int64_t count = 0;
  std::int64_t awaited_block = -1, awaited_step = -1;
  bool is_awaited = false;
};
struct MscclBlock {
  std::int64_t send = -1, receive = -1, channel = 0;
  std::vector<MscclStep> steps;
};
struct MscclGpu {
  std::int64_t input = 0, output = 0, scratch = 0;
  std::vector<MscclBlock> blocks;
};
struct MscclFile {
  std::string collective;
  std::int64_t channels = 0, chunks_per_loop = 0;
  bool in_place = false;
  std::vector<MscclGpu> gpus;
};

/// Reads and checks what the loader checks: attributes, limits, buffers, who waits for whom; throws
/// std::runtime_error where it would refuse.
MscclFile read_msccl(const std::string& text);

struct MscclRun {
  std::size_t buffered = 0;  ///< steps that a channel takes before the receiver does; 0: both ends meet
  bool in_place = false;     ///< input and output are one
  unsigned seed = 0;         ///< of the order in which blocks that can go on do
};

/// Runs the algorithm on numbers, one a chunk, and checks what the collective leaves. "" or what went wrong,
/// a standstill among it.
std::string run(const MscclFile& file, const schedule::Plan& plan, const MscclRun& how);

}  // namespace isotrope::exports

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// An execution plan of MSCCL++ as its executor finds it, and a machine that runs it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::exports {

struct MscclppChunks {
  char buffer = 0;        ///< of a remote buffer as well
  std::int64_t gpu = -1;  ///< of a remote buffer
  std::int64_t index = 0, size = 0;
};
struct MscclppOperation {
  std::string name;
  std::vector<std::int64_t> channels = {};  ///< of the GPU
  std::vector<std::int64_t> semaphores = {};
  std::vector<MscclppChunks> from = {}, to = {};
  std::int64_t barrier = -1, barrier_blocks = 0;
};
struct MscclppGpu {
  std::int64_t input = 0, output = 0, scratch = 0;
  std::vector<std::int64_t> peers;  ///< of every channel
  std::vector<std::int64_t> semaphores;
  std::vector<std::vector<MscclppOperation>> blocks;
};
struct MscclppFile {
  std::string collective;
  bool in_place = false;
  std::vector<MscclppGpu> gpus;
};

/// Reads and checks what the executor checks, and what it only presumes: names, numbers, buffers, limits, channels
/// with two ends; throws std::exception otherwise.
MscclppFile read_mscclpp(const std::string& text);

/// Runs the plan on numbers, one a chunk, and checks what the collective leaves. Between two nops or barriers of a
/// block its threads do not wait for each other: chunks are moved in any order, signals and waits of one thread in
/// theirs. "" or what went wrong, a standstill among it.
/// @param seed of the order of all that can go on
std::string run(const MscclppFile& file, const schedule::Plan& plan, bool in_place, unsigned seed);

}  // namespace isotrope::exports

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The meaning of --bytes: the count argument of MPI's function times the size of its type: the whole vector of
// broadcast, reduce and allreduce, one block of every other collective.
//
// Plans and predictions count blocks. A block is as large as the count, except in an allreduce, which cuts its vector
// into a block per node; a plan of allreduce that keeps the vector whole has a single block.
#pragma once

#include <cstdint>
#include <string>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::app {

/// The blocks that --bytes holds: N for an allreduce on N nodes, else 1.
std::uint64_t blocks_in_count(const schedule::Task& task, std::uint64_t nodes);

/// The same for a plan, which knows whether it cuts the vector.
std::uint64_t blocks_in_count(const schedule::Plan& plan);

/// The conversion: the bytes of a block of whole elements, rounded up, if `bytes` bytes hold `blocks` blocks.
/// @throws Error if `bytes` is no multiple of `element_bytes`.
std::uint64_t block_bytes(std::uint64_t bytes, std::uint64_t blocks, std::uint64_t element_bytes = 1);

/// Whether --bytes counts the whole vector of the collective, not a block.
bool is_sized_by_vector(const schedule::Task& task);

/// "vector of 1 MiB" or "blocks of 4 KiB".
std::string payload_in_words(const schedule::Task& task, std::uint64_t bytes);

}  // namespace isotrope::app

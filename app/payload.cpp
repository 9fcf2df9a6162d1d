// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/payload.hpp"

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/rank/vector_slices.hpp"

#include "app/values.hpp"

namespace isotrope::app {

using schedule::Collective;

std::uint64_t blocks_in_count(const schedule::Task& task, std::uint64_t nodes) {
  return task.collective == Collective::allreduce ? nodes : 1;
}

std::uint64_t blocks_in_count(const schedule::Plan& plan) {
  return plan.task.collective == Collective::allreduce ? rank::VectorSlices(plan).count() : 1;
}

std::uint64_t block_bytes(std::uint64_t bytes, std::uint64_t blocks, std::uint64_t element_bytes) {
  if (bytes % element_bytes != 0) {
    throw Error(fmt::format("--bytes {}: elements have {} bytes each; give a multiple of {}", bytes,
                            element_bytes, element_bytes));
  }
  const std::uint64_t elements = bytes / element_bytes;
  return (elements / blocks + (elements % blocks == 0 ? 0 : 1)) * element_bytes;
}

bool is_sized_by_vector(const schedule::Task& task) {
  return schedule::traits_of(task.collective).payload == schedule::Payload::vector;
}

std::string payload_in_words(const schedule::Task& task, std::uint64_t bytes) {
  return fmt::format("{} of {}", is_sized_by_vector(task) ? "vector" : "blocks", format_size(bytes));
}

}  // namespace isotrope::app

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// How many calls of each collective were taken, and how many were left to the MPI library.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

namespace isotrope::pmpi {

/// The functions that can be taken.
enum class Call : std::uint8_t {
  bcast,
  scatter,
  gather,
  allgather,
  alltoall,
  reduce,
  allreduce,
  reduce_scatter,
  reduce_scatter_block,
  barrier
};
inline constexpr std::size_t calls = 10;

class Report {
 public:
  void count(Call call, bool taken) {
    auto& number = numbers_[2 * static_cast<std::size_t>(call) + (taken ? 0 : 1)];
    number.fetch_add(1, std::memory_order_relaxed);
  }
  /// A line for each function that was called, with the numbers of the rank that called it most. To be called
  /// by all ranks of MPI_COMM_WORLD; the text is rank 0's.
  std::string text() const;

 private:
  std::array<std::atomic<std::uint64_t>, 2 * calls> numbers_ = {};
};

}  // namespace isotrope::pmpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// How many calls of each function Isotrope took and left to the MPI library, for the report. The large-count form of a
// function counts as the function, and MPIX_ as MPI_.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mpi.h>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace isotrope::pmpi {

class CallCounts {
 public:
  /// The row of a function, which must be one of those below.
  static consteval std::size_t row(std::string_view function) {
    const auto* const found = std::ranges::find(functions, function);
    return found == functions.end() ? throw "a function without a row"
                                    : static_cast<std::size_t>(found - functions.begin());
  }

  /// Whether several threads may count at once, which costs more.
  void set_threaded(bool is_threaded) { is_threaded_ = is_threaded; }
  bool is_threaded() const { return is_threaded_; }
  void count(std::size_t row, bool taken) {
    std::atomic<std::uint64_t>& counter = counters_[2 * row + (taken ? 0 : 1)];
    if (is_threaded_) [[unlikely]] {
      counter.fetch_add(1, std::memory_order_relaxed);
    } else {
      counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
  }
  /// The rows of functions that were called, on rank 0; all ranks must call this. Counts are those of the rank with
  /// most calls.
  std::string rows() const {
    std::array<std::uint64_t, 2 * functions.size()> own{}, most{};
    std::ranges::transform(counters_, own.begin(), [](const auto& counter) { return counter.load(); });
    PMPI_Reduce(own.data(), most.data(), static_cast<int>(own.size()), MPI_UINT64_T, MPI_MAX, 0,
                MPI_COMM_WORLD);
    std::string text;
    for (std::size_t i = 0; i < functions.size(); ++i) {
      if (most[2 * i] + most[2 * i + 1] > 0)
        text += fmt::format("isotrope: {:<30}{:>10}{:>12}\n", functions[i], most[2 * i], most[2 * i + 1]);
    }
    return text;
  }

 private:
  // In the order of the report.
  static constexpr auto functions = std::to_array<std::string_view>({
      "MPI_Bcast",
      "MPI_Ibcast",
      "MPI_Bcast_init",
      "MPI_Scatter",
      "MPI_Iscatter",
      "MPI_Scatter_init",
      "MPI_Scatterv",
      "MPI_Iscatterv",
      "MPI_Scatterv_init",
      "MPI_Gather",
      "MPI_Igather",
      "MPI_Gather_init",
      "MPI_Gatherv",
      "MPI_Igatherv",
      "MPI_Gatherv_init",
      "MPI_Allgather",
      "MPI_Iallgather",
      "MPI_Allgather_init",
      "MPI_Allgatherv",
      "MPI_Iallgatherv",
      "MPI_Allgatherv_init",
      "MPI_Alltoall",
      "MPI_Ialltoall",
      "MPI_Alltoall_init",
      "MPI_Alltoallv",
      "MPI_Ialltoallv",
      "MPI_Alltoallv_init",
      "MPI_Alltoallw",
      "MPI_Ialltoallw",
      "MPI_Alltoallw_init",
      "MPI_Reduce",
      "MPI_Ireduce",
      "MPI_Reduce_init",
      "MPI_Allreduce",
      "MPI_Iallreduce",
      "MPI_Allreduce_init",
      "MPI_Reduce_scatter",
      "MPI_Ireduce_scatter",
      "MPI_Reduce_scatter_init",
      "MPI_Reduce_scatter_block",
      "MPI_Ireduce_scatter_block",
      "MPI_Reduce_scatter_block_init",
      "MPI_Scan",
      "MPI_Iscan",
      "MPI_Scan_init",
      "MPI_Exscan",
      "MPI_Iexscan",
      "MPI_Exscan_init",
      "MPI_Neighbor_allgather",
      "MPI_Ineighbor_allgather",
      "MPI_Neighbor_allgather_init",
      "MPI_Neighbor_allgatherv",
      "MPI_Ineighbor_allgatherv",
      "MPI_Neighbor_allgatherv_init",
      "MPI_Neighbor_alltoall",
      "MPI_Ineighbor_alltoall",
      "MPI_Neighbor_alltoall_init",
      "MPI_Neighbor_alltoallv",
      "MPI_Ineighbor_alltoallv",
      "MPI_Neighbor_alltoallv_init",
      "MPI_Neighbor_alltoallw",
      "MPI_Ineighbor_alltoallw",
      "MPI_Neighbor_alltoallw_init",
      "MPI_Barrier",
      "MPI_Ibarrier",
      "MPI_Barrier_init",
  });

  bool is_threaded_ = true;
  std::array<std::atomic<std::uint64_t>, 2 * functions.size()> counters_ = {};
};

}  // namespace isotrope::pmpi

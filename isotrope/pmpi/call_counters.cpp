// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/call_counters.hpp"

#include <algorithm>
#include <mpi.h>

#include <fmt/format.h>

namespace isotrope::pmpi {
namespace {

constexpr std::array<const char*, interposed_count> names{
    "MPI_Bcast",     "MPI_Scatter",        "MPI_Gather",
    "MPI_Allgather", "MPI_Alltoall",       "MPI_Reduce",
    "MPI_Allreduce", "MPI_Reduce_scatter", "MPI_Reduce_scatter_block",
    "MPI_Barrier"};

}  // namespace

std::string CallCounters::text() const {
  std::array<std::uint64_t, 2 * interposed_count> own{}, most{};
  std::ranges::transform(counters_, own.begin(), [](const auto& counter) { return counter.load(); });
  MPI_Reduce(own.data(), most.data(), static_cast<int>(own.size()), MPI_UINT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
  std::string text = fmt::format("isotrope: {:<26}{:>10}{:>12}\n", "calls", "taken", "left to MPI");
  for (std::size_t i = 0; i < interposed_count; ++i) {
    const std::uint64_t served = most[2 * i], passed_on = most[2 * i + 1];
    if (served + passed_on > 0)
      text += fmt::format("isotrope: {:<26}{:>10}{:>12}\n", names[i], served, passed_on);
  }
  return text;
}

}  // namespace isotrope::pmpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/report.hpp"

#include <algorithm>
#include <mpi.h>

#include <fmt/format.h>

namespace isotrope::pmpi {
namespace {

constexpr std::array<const char*, calls> names{
    "MPI_Bcast",     "MPI_Scatter",        "MPI_Gather",
    "MPI_Allgather", "MPI_Alltoall",       "MPI_Reduce",
    "MPI_Allreduce", "MPI_Reduce_scatter", "MPI_Reduce_scatter_block",
    "MPI_Barrier"};

}  // namespace

std::string Report::text() const {
  std::array<std::uint64_t, 2 * calls> own{}, most{};
  std::ranges::transform(numbers_, own.begin(), [](const auto& number) { return number.load(); });
  MPI_Reduce(own.data(), most.data(), static_cast<int>(own.size()), MPI_UINT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
  std::string text = fmt::format("isotrope: {:<26}{:>10}{:>12}\n", "calls", "taken", "left to MPI");
  for (std::size_t call = 0; call < calls; ++call) {
    const std::uint64_t taken = most[2 * call], left = most[2 * call + 1];
    if (taken + left > 0) text += fmt::format("isotrope: {:<26}{:>10}{:>12}\n", names[call], taken, left);
  }
  return text;
}

}  // namespace isotrope::pmpi

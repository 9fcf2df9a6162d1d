// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/neighbour_report.hpp"

#include <algorithm>
#include <mpi.h>
#include <string_view>

#include <fmt/format.h>

namespace isotrope::pmpi {

NeighbourReport& NeighbourReport::of_process() {
  static NeighbourReport report;
  return report;
}

std::string NeighbourReport::lines() const {
  constexpr std::array<std::string_view, functions> names{"MPI_Neighbor_allgather", "MPI_Neighbor_allgatherv",
                                                          "MPI_Neighbor_alltoall", "MPI_Neighbor_alltoallv",
                                                          "MPI_Neighbor_alltoallw"};
  std::array<std::uint64_t, 2 * functions> own{}, most{};
  std::ranges::transform(counters_, own.begin(), [](const auto& counter) { return counter.load(); });
  MPI_Reduce(own.data(), most.data(), static_cast<int>(own.size()), MPI_UINT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
  std::string result;
  for (std::size_t i = 0; i < functions; ++i) {
    if (most[2 * i] + most[2 * i + 1] > 0)
      result += fmt::format("isotrope: {:<26}{:>10}{:>12}\n", names[i], most[2 * i], most[2 * i + 1]);
  }
  return result;
}

}  // namespace isotrope::pmpi

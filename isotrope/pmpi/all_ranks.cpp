// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/all_ranks.hpp"

#include <chrono>
#include <cstdio>
#include <mpi.h>
#include <thread>

#include <fmt/format.h>

#include "isotrope/mpi/topology.hpp"

namespace isotrope::pmpi {

void await_all_ranks() {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds patience(10);
  const Clock::time_point begin = Clock::now();
  MPI_Request request = MPI_REQUEST_NULL;
  // Between the ranks between which MPI_Comm_dup sends. A barrier may join others, and over TCP ranks look at all connections
  // whenever they wait: of 48 ranks the 12 of a dissemination made every barrier of the program 14 % slower.
  int none = 0;
  PMPI_Iallreduce(MPI_IN_PLACE, &none, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
  bool has_spoken = false;
  for (int complete = 0;;) {
    PMPI_Test(&request, &complete, MPI_STATUS_IGNORE);
    if (complete != 0) return;
    std::this_thread::yield();
    if (has_spoken || Clock::now() - begin < patience) continue;
    fmt::print(stderr,
               "isotrope: rank {} has waited {} s in MPI_Init for the drop-in on the other ranks: preload "
               "libisotrope_pmpi.so on all ranks, or on none\n",
               mpi::rank_in(MPI_COMM_WORLD), patience.count());
    has_spoken = true;
  }
}

}  // namespace isotrope::pmpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// mpirun -n 8 mpi_allreduce hypercube:3: sums a vector over all ranks, and sends a number to each rank.
#include <cstdio>
#include <mpi.h>
#include <numeric>
#include <vector>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/mpi/communicator.hpp"

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  try {
    isotrope::mpi::Communicator comm(MPI_COMM_WORLD,
                                     isotrope::network::parse(count > 1 ? arguments[1] : "hypercube:3"));
    const auto size = static_cast<std::size_t>(comm.size());

    std::vector<double> sums(1000, comm.rank());
    comm.allreduce(MPI_IN_PLACE, sums.data(), 1000, MPI_DOUBLE, MPI_SUM);

    std::vector<int> sent(size), received(size);
    std::iota(sent.begin(), sent.end(), 100 * comm.rank());
    comm.alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT);

    if (comm.rank() == 0) {
      std::printf("%s: every sum is %g\n", comm.network().name().c_str(), sums.front());
      std::printf("rank 0 received %d from the last rank\n", received.back());
    }
  } catch (const isotrope::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
}

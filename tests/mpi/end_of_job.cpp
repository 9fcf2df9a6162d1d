// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// end_of_job fatal | killed: a job that must fail. Either a call has bad arguments under MPI_ERRORS_ARE_FATAL
// (the default), or a rank dies while the others wait for it.
#include <csignal>
#include <mpi.h>
#include <string_view>
#include <vector>

#include "isotrope/network/parse.hpp"

#include "isotrope/mpi/communicator.hpp"

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  const bool fatal = count > 1 && std::string_view(arguments[1]) == "fatal";
  {
    isotrope::mpi::Communicator comm(MPI_COMM_WORLD, isotrope::network::parse("hypercube:2"));
    std::vector<int> sums(1000);
    for (int call = 0; call < 1000; ++call) {
      if (call == 100 && fatal) comm.broadcast(sums.data(), 1, MPI_INT, 4);
      if (call == 100 && !fatal && comm.rank() == 2) std::raise(SIGKILL);
      comm.allreduce(MPI_IN_PLACE, sums.data(), 1000, MPI_INT, MPI_SUM);
    }
  }
  MPI_Finalize();
  return 0;
}

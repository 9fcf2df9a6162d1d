// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests of an MPI library by a program that uses only MPI, for any number of ranks: the program must not
// notice a preloaded drop-in.
#include <mpi.h>

#include "tests/mpi/every_rank.hpp"
#include "tests/mpi/neighbourhoods.hpp"
#include "tests/mpi/shapes.hpp"

int main(int count, char** arguments) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &provided);
  const int status = isotrope::mpi::run_tests_on_every_rank(count, arguments);
  isotrope::mpi::free_neighbourhood_cases();
  isotrope::mpi::free_shapes();
  MPI_Finalize();
  return status;
}

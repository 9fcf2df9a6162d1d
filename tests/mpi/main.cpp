// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include "every_rank.hpp"
#include "neighbourhoods.hpp"
#include "shapes.hpp"
#include "trial.hpp"
#include "world.hpp"

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  const int status = isotrope::mpi::run_tests_on_every_rank(count, arguments);
  isotrope::mpi::free_communicators();
  isotrope::mpi::free_neighbourhood_cases();
  isotrope::mpi::free_shapes();
  isotrope::mpi::free_ops();
  MPI_Finalize();
  return status;
}

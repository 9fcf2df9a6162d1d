/* SPDX-FileCopyrightText: The Isotrope authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * mpirun -n 8 mpi_allreduce_c hypercube:3: sums a vector over all ranks, and sends a number to each rank. */
#include <stdio.h>
#include <stdlib.h>

#include "isotrope/mpi/isotrope_mpi.h"

int main(int count, char **arguments) {
  const char *network = count > 1 ? arguments[1] : "hypercube:3";
  double sums[1000];
  int rank, size;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Isotrope_Comm comm;
  Isotrope_Comm_create(MPI_COMM_WORLD, network, &comm); /* errors end the job, as for MPI_COMM_WORLD */

  for (int i = 0; i < 1000; ++i) sums[i] = rank;
  Isotrope_Allreduce(MPI_IN_PLACE, sums, 1000, MPI_DOUBLE, MPI_SUM, comm);

  int *sent = malloc(2 * (size_t)size * sizeof(int)), *received = sent + size;
  for (int i = 0; i < size; ++i) sent[i] = 100 * rank + i;
  Isotrope_Alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, comm);

  if (rank == 0) {
    printf("%s: every sum is %g\n", network, sums[0]);
    printf("rank 0 received %d from the last rank\n", received[size - 1]);
  }
  free(sent);
  Isotrope_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}

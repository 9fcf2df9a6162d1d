/* SPDX-FileCopyrightText: The Isotrope authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Preload this into a program: its alltoallv leaves a wrong first byte. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>

int MPI_Alltoallv(const void *send, const int *send_counts, const int *send_places, MPI_Datatype send_type, void *recv,
                  const int *recv_counts, const int *recv_places, MPI_Datatype recv_type, MPI_Comm comm) {
  static int (*right)(const void *, const int *, const int *, MPI_Datatype, void *, const int *, const int *,
                      MPI_Datatype, MPI_Comm);
  if (!right) *(void **)&right = dlsym(RTLD_NEXT, "MPI_Alltoallv");
  const int code = right(send, send_counts, send_places, send_type, recv, recv_counts, recv_places, recv_type, comm);
  if (recv_counts[0] > 0) ++*(unsigned char *)recv;
  return code;
}

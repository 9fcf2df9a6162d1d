/* SPDX-FileCopyrightText: The Isotrope authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Prints what the MPI library calls itself. MPI allows this call before MPI_Init. */
#include <mpi.h>
#include <stdio.h>

int main(void) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  if (MPI_Get_library_version(version, &length) != MPI_SUCCESS) return 1;
  puts(version);
  return 0;
}

! SPDX-FileCopyrightText: The Isotrope authors
! SPDX-License-Identifier: Apache-2.0
!
! An MPI program that knows nothing of Isotrope: the drop-in library, preloaded, serves its collectives.
program drop_in
  use mpi
  implicit none
  integer :: rank, ranks, error
  double precision :: mine, total

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  mine = rank + 1
  call MPI_Allreduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  if (rank == 0) print '(i0, a, f0.1)', ranks, ' ranks, sum ', total
  call MPI_Finalize(error)
end program

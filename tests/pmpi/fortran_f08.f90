! SPDX-FileCopyrightText: The Isotrope authors
! SPDX-License-Identifier: Apache-2.0
!
! Collectives from Fortran by the module mpi_f08: handles have types, the error code is optional.
program fortran_f08
  use mpi_f08
  implicit none
  integer :: rank, ranks, total, i
  integer :: own(4)
  integer, allocatable :: blocks(:), received(:)
  logical :: right
  type(MPI_Comm) :: copy
  type(MPI_Request) :: requests(2)

  call MPI_Init()
  call MPI_Comm_dup(MPI_COMM_WORLD, copy)
  call MPI_Comm_rank(copy, rank)
  call MPI_Comm_size(copy, ranks)
  total = ranks * (ranks + 1) / 2
  right = .true.

  own = rank + 1
  call MPI_Allreduce(MPI_IN_PLACE, own, 4, MPI_INTEGER, MPI_SUM, copy)
  right = right .and. all(own == total)

  allocate(blocks(ranks), received(ranks))
  blocks = [(100 * rank + i, i = 0, ranks - 1)]
  received = -1
  call MPI_Alltoall(blocks, 1, MPI_INTEGER, received, 1, MPI_INTEGER, copy)
  right = right .and. all(received == [(100 * i + rank, i = 0, ranks - 1)])

  if (rank == 0) then
    call MPI_Reduce(MPI_IN_PLACE, blocks, ranks, MPI_INTEGER, MPI_SUM, 0, copy)
    right = right .and. all(blocks == [(100 * (total - ranks) + ranks * i, i = 0, ranks - 1)])
  else
    call MPI_Reduce(blocks, received, ranks, MPI_INTEGER, MPI_SUM, 0, copy)
  end if
  call MPI_Barrier(copy)

  own = rank + 1
  call MPI_Iallreduce(MPI_IN_PLACE, own, 4, MPI_INTEGER, MPI_SUM, copy, requests(1))
  call MPI_Ibarrier(copy, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  right = right .and. all(own == total) .and. all(requests == MPI_REQUEST_NULL)

  call MPI_Allreduce(MPI_IN_PLACE, right, 1, MPI_LOGICAL, MPI_LAND, copy)
  if (rank == 0) print '(a)', merge('right', 'wrong', right)
  call MPI_Comm_free(copy)
  call MPI_Finalize()
end program

! SPDX-FileCopyrightText: The Isotrope authors
! SPDX-License-Identifier: Apache-2.0
!
! Collectives from Fortran by the oldest interface: handles are integers, MPI_IN_PLACE is a special address.
program fortran_mpif
  implicit none
  include 'mpif.h'
  integer :: code, rank, ranks, total, i, request
  integer :: own(4), sums(4)
  integer, allocatable :: all(:)
  logical :: right

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  total = ranks * (ranks + 1) / 2
  right = .true.

  own = rank + 1
  call MPI_Allreduce(own(1), sums(1), 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
  right = right .and. all_are(sums, total)
  call MPI_Allreduce(MPI_IN_PLACE, own(1), 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
  right = right .and. all_are(own, total)

  allocate(all(ranks))
  all = -1
  all(rank + 1) = rank
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all(1), 1, MPI_INTEGER, MPI_COMM_WORLD, code)
  do i = 1, ranks
    right = right .and. all(i) == i - 1
  end do

  own = merge(13, 0, rank == ranks - 1)
  call MPI_Bcast(own(1), 4, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, code)
  right = right .and. all_are(own, 13)

  own = merge(17, 0, rank == 0)
  call MPI_Ibcast(own(1), 4, MPI_INTEGER, 0, MPI_COMM_WORLD, request, code)
  call MPI_Wait(request, MPI_STATUS_IGNORE, code)
  right = right .and. all_are(own, 17) .and. request == MPI_REQUEST_NULL

  own = merge(1, 0, right)
  call MPI_Allreduce(MPI_IN_PLACE, own(1), 4, MPI_INTEGER, MPI_MIN, MPI_COMM_WORLD, code)
  if (rank == 0) print '(a)', merge('right', 'wrong', all_are(own, 1))
  call MPI_Finalize(code)

contains
  logical function all_are(numbers, expected)
    integer, intent(in) :: numbers(4), expected
    all_are = numbers(1) == expected .and. numbers(2) == expected .and. numbers(3) == expected .and. numbers(4) == expected
  end function
end program

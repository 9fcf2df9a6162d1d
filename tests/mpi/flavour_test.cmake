# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -P flavour_test.cmake: the folder of every MPI library, by what it calls itself.
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/isotrope_mpi.cmake)

function(expect flavour version)
  isotrope_mpi_flavour(found "${version}")
  if(NOT found STREQUAL flavour)
    message(SEND_ERROR "${version}: ${found} instead of ${flavour}")
  endif()
endfunction()

expect(openmpi "Open MPI v4.1.4, package: Debian Open MPI, ident: 4.1.4")
expect(mpich "MPICH Version:\t4.0.2")
expect(intelmpi "Intel(R) MPI Library 2021.5 for Linux* OS")
expect(mvapich2 "MVAPICH2 Version      : 2.3.7")
expect(craympich "MPI VERSION    : CRAY MPICH version 8.1.12.33 (ANL base 3.4a2)")
expect(mpi "A library of tomorrow 1.0")

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The arguments of a call, in one form for all eleven collectives of MPI. N is the number of ranks:
//
//     collective        send buffer               receive buffer            root   op
//     broadcast         -                         1 block, both ways        yes    -
//     scatter           N blocks, at the root     1 block                   yes    -
//     gather            1 block                   N blocks, at the root     yes    -
//     allgather         1 block                   N blocks                  -      -
//     alltoall          N blocks                  N blocks                  -      -
//     reduce            1 block                   1 block, at the root      yes    yes
//     reduce-scatter    N blocks                  1 block                   -      yes
//     allreduce         1 block                   1 block                   -      yes
//     scan              1 block                   1 block                   -      yes
//     exscan            1 block                   1 block, but at rank 0    -      yes
//     barrier           -                         -                         -      -
//
// Arguments that a collective does not have keep their defaults. The two buffers of a collective with an
// operation have the same count and datatype. MPI_IN_PLACE is an address, as in MPI.
#pragma once

#include <mpi.h>

#include "isotrope/schedule/task.hpp"

namespace isotrope::mpi {

/// Blocks of `count` elements each, one after the other, which are only read.
struct SendBuffer {
  const void* address = nullptr;
  MPI_Count count = 0;  ///< elements of one block
  MPI_Datatype type = MPI_DATATYPE_NULL;

  bool in_place() const { return address == MPI_IN_PLACE; }
};

/// Blocks of `count` elements each, one after the other, which are written.
struct ReceiveBuffer {
  void* address = nullptr;
  MPI_Count count = 0;  ///< elements of one block
  MPI_Datatype type = MPI_DATATYPE_NULL;

  bool in_place() const { return address == MPI_IN_PLACE; }
  SendBuffer as_read() const { return {address, count, type}; }
};

/// A call of a collective. The buffers stay the caller's and must outlive the call.
struct Arguments {
  schedule::Collective collective = schedule::Collective::barrier;
  SendBuffer send = {};
  ReceiveBuffer receive = {};
  int root = 0;
  MPI_Op op = MPI_OP_NULL;
};

/// Whether a rank has the result of a reduction: the root alone in a reduce, every rank but 0 in an exscan. The
/// receive buffer of other ranks has no meaning.
inline bool has_result(const Arguments& arguments, int rank) {
  if (arguments.collective == schedule::Collective::exscan) return rank > 0;
  return arguments.collective != schedule::Collective::reduce || rank == arguments.root;
}

/// Whether a rank's data in a reduction lie in its receive buffer. MPI_IN_PLACE is valid at ranks with a result, and at
/// rank 0 in an exscan.
inline bool has_data_in_place(const Arguments& arguments, int rank) {
  return arguments.send.in_place() &&
         (has_result(arguments, rank) || arguments.collective == schedule::Collective::exscan);
}

}  // namespace isotrope::mpi

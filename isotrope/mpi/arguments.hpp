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

#include <cstddef>
#include <mpi.h>
#include <vector>

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

/// One of several blocks of a buffer, of any size and type.
struct PlacedBlock {
  MPI_Count count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  /// From the address of the buffer, in extents of the type; of alltoallw in bytes.
  MPI_Aint displacement = 0;
};

/// Equal blocks, one after the other.
inline std::vector<PlacedBlock> equal_blocks(MPI_Count count, MPI_Datatype type, std::size_t blocks) {
  std::vector<PlacedBlock> result;
  for (std::size_t i = 0; i < blocks; ++i)
    result.push_back({count, type, static_cast<MPI_Aint>(static_cast<MPI_Count>(i) * count)});
  return result;
}

/// Blocks as MPI lists them; Count and Place are int, MPI_Count or MPI_Aint.
template <class Count, class Place>
std::vector<PlacedBlock> listed_blocks(const Count* counts, const Place* places, MPI_Datatype type,
                                       std::size_t blocks) {
  std::vector<PlacedBlock> result;
  for (std::size_t i = 0; i < blocks; ++i)
    result.push_back({counts[i], type, static_cast<MPI_Aint>(places[i])});
  return result;
}
template <class Count, class Place>
std::vector<PlacedBlock> listed_blocks(const Count* counts, const Place* places, const MPI_Datatype* types,
                                       std::size_t blocks) {
  std::vector<PlacedBlock> result;
  for (std::size_t i = 0; i < blocks; ++i)
    result.push_back({counts[i], types[i], static_cast<MPI_Aint>(places[i])});
  return result;
}

}  // namespace isotrope::mpi

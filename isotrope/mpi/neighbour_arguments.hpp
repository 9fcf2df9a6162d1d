// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The arguments of a neighbourhood collective, in one form for all five. Arrays have an entry per neighbour, in MPI's order
// (neighbours.hpp).
//
//     collective             send buffer                      receive buffer
//     neighbor_allgather     1 block, sent to all             equal blocks, one after the other
//     neighbor_allgatherv    1 block, sent to all             blocks of any sizes, placed in extents
//     neighbor_alltoall      equal blocks, one after another  equal blocks
//     neighbor_alltoallv     blocks of any sizes              blocks of any sizes, placed in extents
//     neighbor_alltoallw     and of any types                 and of any types, placed in bytes
#pragma once

#include <cstddef>
#include <mpi.h>
#include <string>
#include <vector>

#include "isotrope/mpi/arguments.hpp"

namespace isotrope::mpi {

enum class NeighbourCollective { allgather, allgatherv, alltoall, alltoallv, alltoallw };

/// "neighbor_allgather", ...
std::string name_of(NeighbourCollective collective);
/// Whether a rank sends the same block to all.
constexpr bool gathers(NeighbourCollective collective) {
  return collective == NeighbourCollective::allgather || collective == NeighbourCollective::allgatherv;
}
/// Whether all blocks of a buffer have one size and type.
constexpr bool has_equal_blocks(NeighbourCollective collective) {
  return collective == NeighbourCollective::allgather || collective == NeighbourCollective::alltoall;
}

/// A call. The buffers stay the caller's and must outlive the call.
struct NeighbourArguments {
  NeighbourCollective collective = NeighbourCollective::alltoall;
  const void* send = nullptr;
  std::vector<PlacedBlock> sent = {};  ///< one, or one per destination
  void* receive = nullptr;
  std::vector<PlacedBlock> received = {};  ///< one per source

  /// The block for the destination in that place.
  const PlacedBlock& block_for(std::size_t place) const { return sent[gathers(collective) ? 0 : place]; }
};

/// How many neighbours a rank has.
struct NeighbourCounts {
  std::size_t sources = 0;
  std::size_t destinations = 0;
};

// The calls as MPI takes them, of a rank with so many neighbours.

inline NeighbourArguments neighbor_allgather(NeighbourCounts neighbours, const void* send,
                                             MPI_Count send_count, MPI_Datatype send_type, void* recv,
                                             MPI_Count recv_count, MPI_Datatype recv_type) {
  return {NeighbourCollective::allgather, send, equal_blocks(send_count, send_type, 1), recv,
          equal_blocks(recv_count, recv_type, neighbours.sources)};
}

template <class Count, class Place>
NeighbourArguments neighbor_allgatherv(NeighbourCounts neighbours, const void* send, MPI_Count send_count,
                                       MPI_Datatype send_type, void* recv, const Count* recv_counts,
                                       const Place* recv_places, MPI_Datatype recv_type) {
  return {NeighbourCollective::allgatherv, send, equal_blocks(send_count, send_type, 1), recv,
          listed_blocks(recv_counts, recv_places, recv_type, neighbours.sources)};
}

inline NeighbourArguments neighbor_alltoall(NeighbourCounts neighbours, const void* send,
                                            MPI_Count send_count, MPI_Datatype send_type, void* recv,
                                            MPI_Count recv_count, MPI_Datatype recv_type) {
  return {NeighbourCollective::alltoall, send, equal_blocks(send_count, send_type, neighbours.destinations),
          recv, equal_blocks(recv_count, recv_type, neighbours.sources)};
}

template <class Count, class Place>
NeighbourArguments neighbor_alltoallv(NeighbourCounts neighbours, const void* send, const Count* send_counts,
                                      const Place* send_places, MPI_Datatype send_type, void* recv,
                                      const Count* recv_counts, const Place* recv_places,
                                      MPI_Datatype recv_type) {
  return {NeighbourCollective::alltoallv, send,
          listed_blocks(send_counts, send_places, send_type, neighbours.destinations), recv,
          listed_blocks(recv_counts, recv_places, recv_type, neighbours.sources)};
}

template <class Count, class Place>
NeighbourArguments neighbor_alltoallw(NeighbourCounts neighbours, const void* send, const Count* send_counts,
                                      const Place* send_places, const MPI_Datatype* send_types, void* recv,
                                      const Count* recv_counts, const Place* recv_places,
                                      const MPI_Datatype* recv_types) {
  return {NeighbourCollective::alltoallw, send,
          listed_blocks(send_counts, send_places, send_types, neighbours.destinations), recv,
          listed_blocks(recv_counts, recv_places, recv_types, neighbours.sources)};
}

}  // namespace isotrope::mpi

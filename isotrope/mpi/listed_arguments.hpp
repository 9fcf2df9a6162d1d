// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The arguments of collectives whose buffers hold blocks of any sizes and types, listed one by one.
//
// Between neighbours, with an entry per neighbour, in MPI's order (neighbours.hpp):
//
//     neighbor_allgather     1 block, sent to all             equal blocks, one after the other
//     neighbor_allgatherv    1 block, sent to all             blocks of any sizes, placed in extents
//     neighbor_alltoall      equal blocks, one after another  equal blocks
//     neighbor_alltoallv     blocks of any sizes              blocks of any sizes, placed in extents
//     neighbor_alltoallw     and of any types                 and of any types, placed in bytes
//
// Between all N ranks, with an entry per rank:
//
//     collective        send buffer                    receive buffer                 root   op
//     scatterv          N blocks, at the root          1 block                        yes    -
//     gatherv           1 block                        N blocks, at the root          yes    -
//     allgatherv        1 block                        N blocks                       -      -
//     alltoallv         N blocks                       N blocks                       -      -
//     alltoallw         N blocks of any types          N blocks of any types          -      -
//     reduce-scatter    N blocks, one after another    1 block                        -      yes
//
// MPI_IN_PLACE is an address, as in MPI: between all ranks the send buffer of every collective but scatterv, at the root of a
// gatherv; and the receive buffer of a scatterv at its root.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mpi.h>
#include <string>
#include <vector>

#include "isotrope/schedule/collective.hpp"

namespace isotrope::mpi {

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
/// Each block has a type of its own. MPICH does not look at that of an empty one, which may be null or not committed; Open MPI does.
template <class Count, class Place>
std::vector<PlacedBlock> listed_blocks(const Count* counts, const Place* places, const MPI_Datatype* types,
                                       std::size_t blocks) {
#ifdef OPEN_MPI
  constexpr bool looks_at_empty = true;
#else
  constexpr bool looks_at_empty = false;
#endif
  std::vector<PlacedBlock> result;
  for (std::size_t i = 0; i < blocks; ++i) {
    const bool has_type = looks_at_empty || counts[i] != 0;
    result.push_back({counts[i], has_type ? types[i] : MPI_BYTE, static_cast<MPI_Aint>(places[i])});
  }
  return result;
}

// ---- between neighbours

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

// ---- between all ranks

enum class VectorCollective : std::uint8_t {
  scatterv,
  gatherv,
  allgatherv,
  alltoallv,
  alltoallw,
  reduce_scatter
};

/// "scatterv", ..., "reduce-scatter with unequal blocks".
std::string name_of(VectorCollective collective);
/// The collective with blocks of equal sizes.
constexpr schedule::Collective with_equal_blocks(VectorCollective collective) {
  using schedule::Collective;
  constexpr std::array equal{Collective::scatter,  Collective::gather,   Collective::allgather,
                             Collective::alltoall, Collective::alltoall, Collective::reduce_scatter};
  return equal.at(static_cast<std::size_t>(collective));
}

/// scatterv and gatherv have a root.
constexpr bool is_rooted(VectorCollective collective) {
  return collective == VectorCollective::scatterv || collective == VectorCollective::gatherv;
}

/// Whether a rank may give MPI_IN_PLACE as its send buffer, or as its receive buffer.
constexpr bool may_send_in_place(VectorCollective collective, bool at_root) {
  return collective != VectorCollective::scatterv && (at_root || !is_rooted(collective));
}
constexpr bool may_receive_in_place(VectorCollective collective, bool at_root) {
  return collective == VectorCollective::scatterv && at_root;
}

/// A rank among the others.
struct RankOf {
  int rank = 0;
  int ranks = 1;
};

/// A call. The buffers stay the caller's and must outlive the call.
struct VectorArguments {
  VectorCollective collective = VectorCollective::alltoallv;
  const void* send = nullptr;
  std::vector<PlacedBlock> sent = {};  ///< none on ranks that send nothing, or in place
  void* receive = nullptr;
  std::vector<PlacedBlock> received = {};  ///< none on ranks that receive nothing, or in place
  int root = 0;
  MPI_Op op = MPI_OP_NULL;
  std::vector<MPI_Count> counts = {};  ///< of reduce-scatter, by rank
  /// Of an alltoallv and an alltoallw: one list of counts for both sides, and one type or list of types.
  bool has_common_lists = false;
};

// The calls as MPI takes them. What MPI does not read on a rank may be anything there.

template <class Count, class Place>
VectorArguments scatterv(RankOf self, const void* send, const Count* send_counts, const Place* send_places,
                         MPI_Datatype send_type, void* recv, MPI_Count recv_count, MPI_Datatype recv_type,
                         int root) {
  VectorArguments result{.collective = VectorCollective::scatterv, .receive = recv, .root = root};
  if (self.rank == root) {
    result.send = send;
    result.sent = listed_blocks(send_counts, send_places, send_type, static_cast<std::size_t>(self.ranks));
  }
  if (recv != MPI_IN_PLACE) result.received = equal_blocks(recv_count, recv_type, 1);
  return result;
}

template <class Count, class Place>
VectorArguments gatherv(RankOf self, const void* send, MPI_Count send_count, MPI_Datatype send_type,
                        void* recv, const Count* recv_counts, const Place* recv_places,
                        MPI_Datatype recv_type, int root) {
  VectorArguments result{.collective = VectorCollective::gatherv, .send = send, .root = root};
  if (send != MPI_IN_PLACE) result.sent = equal_blocks(send_count, send_type, 1);
  if (self.rank == root) {
    result.receive = recv;
    result.received =
        listed_blocks(recv_counts, recv_places, recv_type, static_cast<std::size_t>(self.ranks));
  }
  return result;
}

template <class Count, class Place>
VectorArguments allgatherv(RankOf self, const void* send, MPI_Count send_count, MPI_Datatype send_type,
                           void* recv, const Count* recv_counts, const Place* recv_places,
                           MPI_Datatype recv_type) {
  VectorArguments result{.collective = VectorCollective::allgatherv, .send = send, .receive = recv};
  if (send != MPI_IN_PLACE) result.sent = equal_blocks(send_count, send_type, 1);
  result.received = listed_blocks(recv_counts, recv_places, recv_type, static_cast<std::size_t>(self.ranks));
  return result;
}

template <class Count, class Place>
VectorArguments alltoallv(RankOf self, const void* send, const Count* send_counts, const Place* send_places,
                          MPI_Datatype send_type, void* recv, const Count* recv_counts,
                          const Place* recv_places, MPI_Datatype recv_type) {
  const auto ranks = static_cast<std::size_t>(self.ranks);
  VectorArguments result{.collective = VectorCollective::alltoallv, .send = send, .receive = recv};
  result.has_common_lists = send_counts == recv_counts && send_type == recv_type;
  if (send != MPI_IN_PLACE) result.sent = listed_blocks(send_counts, send_places, send_type, ranks);
  result.received = listed_blocks(recv_counts, recv_places, recv_type, ranks);
  return result;
}

template <class Count, class Place>
VectorArguments alltoallw(RankOf self, const void* send, const Count* send_counts, const Place* send_places,
                          const MPI_Datatype* send_types, void* recv, const Count* recv_counts,
                          const Place* recv_places, const MPI_Datatype* recv_types) {
  const auto ranks = static_cast<std::size_t>(self.ranks);
  VectorArguments result{.collective = VectorCollective::alltoallw, .send = send, .receive = recv};
  result.has_common_lists = send_counts == recv_counts && send_types == recv_types;
  if (send != MPI_IN_PLACE) result.sent = listed_blocks(send_counts, send_places, send_types, ranks);
  result.received = listed_blocks(recv_counts, recv_places, recv_types, ranks);
  return result;
}

/// Rank r receives counts[r] elements.
template <class Count>
VectorArguments reduce_scatter(RankOf self, const void* send, void* recv, const Count* counts,
                               MPI_Datatype type, MPI_Op op) {
  VectorArguments result{
      .collective = VectorCollective::reduce_scatter, .send = send, .receive = recv, .op = op};
  MPI_Count place = 0;
  for (int i = 0; i < self.ranks; ++i) {
    result.sent.push_back({counts[i], type, static_cast<MPI_Aint>(place)});
    result.counts.push_back(counts[i]);
    place += counts[i];
  }
  result.received = equal_blocks(counts[self.rank], type, 1);
  return result;
}

}  // namespace isotrope::mpi

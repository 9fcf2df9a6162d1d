// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The arguments of a collective with blocks of unequal sizes, in one form for all six of MPI. N is the number of ranks; lists
// have an entry per rank.
//
//     collective        send buffer                    receive buffer                 root   op
//     scatterv          N blocks, at the root          1 block                        yes    -
//     gatherv           1 block                        N blocks, at the root          yes    -
//     allgatherv        1 block                        N blocks                       -      -
//     alltoallv         N blocks                       N blocks                       -      -
//     alltoallw         N blocks of any types          N blocks of any types          -      -
//     reduce-scatter    N blocks, one after another    1 block                        -      yes
//
// MPI_IN_PLACE is an address, as in MPI: the send buffer of every collective but scatterv, at the root of a gatherv; the
// receive buffer of a scatterv at its root.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mpi.h>
#include <string>
#include <vector>

#include "isotrope/mpi/arguments.hpp"

namespace isotrope::mpi {

enum class VectorCollective : std::uint8_t {
  scatterv,
  gatherv,
  allgatherv,
  alltoallv,
  alltoallw,
  reduce_scatter
};

/// "scatterv", ..., "reduce-scatter".
std::string name_of(VectorCollective collective);
/// The collective with blocks of equal sizes.
schedule::Collective with_equal_blocks(VectorCollective collective);

/// scatterv and gatherv have a root.
constexpr bool is_rooted(VectorCollective collective) {
  return collective == VectorCollective::scatterv || collective == VectorCollective::gatherv;
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
};

// The calls as MPI takes them. Counts and places that MPI does not read on a rank may be null there.

template <class Count, class Place>
VectorArguments scatterv(RankOf self, const void* send, const Count* send_counts, const Place* send_places,
                         MPI_Datatype send_type, void* recv, MPI_Count recv_count, MPI_Datatype recv_type,
                         int root) {
  VectorArguments result{
      .collective = VectorCollective::scatterv, .send = send, .receive = recv, .root = root};
  if (self.rank == root)
    result.sent = listed_blocks(send_counts, send_places, send_type, static_cast<std::size_t>(self.ranks));
  if (recv != MPI_IN_PLACE) result.received = equal_blocks(recv_count, recv_type, 1);
  return result;
}

template <class Count, class Place>
VectorArguments gatherv(RankOf self, const void* send, MPI_Count send_count, MPI_Datatype send_type,
                        void* recv, const Count* recv_counts, const Place* recv_places,
                        MPI_Datatype recv_type, int root) {
  VectorArguments result{
      .collective = VectorCollective::gatherv, .send = send, .receive = recv, .root = root};
  if (send != MPI_IN_PLACE) result.sent = equal_blocks(send_count, send_type, 1);
  if (self.rank == root)
    result.received =
        listed_blocks(recv_counts, recv_places, recv_type, static_cast<std::size_t>(self.ranks));
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

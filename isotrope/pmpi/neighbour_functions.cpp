// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The neighbourhood collectives of the drop-in. Direct messages are what the MPI library sends too, so a call is a
// candidate (serving.hpp) only if its messages can be combined and the machine makes this faster. Blocks of different
// sizes, nonblocking and persistent calls are passed on.
//
// A Cartesian communicator is passed on without being served: its messages are never combined.
#include <cstddef>
#include <mpi.h>
#include <vector>

#include "isotrope/mpi/communicator.hpp"
#include "isotrope/mpi/listed_arguments.hpp"
#include "isotrope/pmpi/collective_call.hpp"
#include "isotrope/pmpi/interpose.hpp"
#include "isotrope/pmpi/passing_on.hpp"
#include "isotrope/pmpi/serving.hpp"
#include "isotrope/pmpi/session.hpp"

namespace isotrope::pmpi {
namespace {

using mpi::Communicator;
using mpi::NeighbourArguments;
using mpi::NeighbourCounts;
using mpi::PlacedBlock;

bool is_graph(MPI_Comm comm) {
  int topology = MPI_UNDEFINED, initialized = 0;
  PMPI_Initialized(&initialized);
  if (initialized == 0 || comm == MPI_COMM_NULL) return false;
  return PMPI_Topo_test(comm, &topology) == MPI_SUCCESS &&
         (topology == MPI_GRAPH || topology == MPI_DIST_GRAPH);
}

// Of this rank, asking no other. @pre is_graph(comm).
NeighbourCounts counts_on(MPI_Comm comm) {
  int topology = MPI_UNDEFINED, rank = 0, sources = 0, destinations = 0, is_weighted = 0;
  PMPI_Topo_test(comm, &topology);
  if (topology == MPI_GRAPH) {
    PMPI_Comm_rank(comm, &rank);
    PMPI_Graph_neighbors_count(comm, rank, &sources);
    destinations = sources;
  } else {
    PMPI_Dist_graph_neighbors_count(comm, &sources, &destinations, &is_weighted);
  }
  return {static_cast<std::size_t>(sources), static_cast<std::size_t>(destinations)};
}

// Whether MPI takes the blocks, which are equal.
bool are_valid(const void* address, const std::vector<PlacedBlock>& blocks) {
  if (blocks.empty()) return true;
  const auto& [count, type, displacement] = blocks.front();
  return pmpi::is_block(count, type) && is_buffer(address, displacement == 0 ? count : 0, type);
}

// A call with equal blocks (serving.hpp): an isotropic exchange. ArgumentsOf makes the arguments for the numbers of
// neighbours.
template <class ArgumentsOf>
struct NeighbourCall {
  ArgumentsOf arguments_of;
  CallSize received;  // of a block
  const Member& member;
  MPI_Comm comm;

  schedule::Collective collective() const { return schedule::Collective::isotropic; }
  // None once it is known that messages of this size are not combined, so that ranks do not explore for it.
  CallSize size() const {
    if (received.count < 0 || received.type == MPI_DATATYPE_NULL) return {};
    if (member.served && !fits(*member.served->communicator)) return {};
    return received;
  }
  bool is_refused() const {
    const NeighbourArguments arguments = arguments_of(counts_on(comm));
    return !are_valid(arguments.send, arguments.sent) || !are_valid(arguments.receive, arguments.received);
  }
  bool is_reproducible() const { return false; }  // nothing is reduced
  // If several edges join two ranks, MPI libraries differ in the order of their blocks, so a program must get that of its
  // own library.
  bool fits(Communicator& serving) const {
    const NeighbourArguments arguments = arguments_of(serving.neighbour_counts());
    return are_valid(arguments.send, arguments.sent) && are_valid(arguments.receive, arguments.received) &&
           serving.combines(arguments) &&
           (mpi::gathers(arguments.collective) || !serving.has_multiple_edges());
  }
  int run(Communicator& serving) const { return serving.run(arguments_of(serving.neighbour_counts())); }
};

// The call as a function of what is known of the communicator.
template <class ArgumentsOf>
struct OnNeighbours {
  ArgumentsOf arguments_of;
  CallSize received;  // of a block
  MPI_Comm comm;

  CallCollective collective() const { return schedule::Collective::isotropic; }
  CallSize size(const Member& member) const { return (*this)(member).size(); }
  NeighbourCall<ArgumentsOf> operator()(const Member& member) const {
    return {arguments_of, received, member, comm};
  }
};

template <class Next, class ArgumentsOf>
int serve_neighbours_or(const Next& next, std::size_t row, MPI_Comm comm, const CallSize& received,
                        const ArgumentsOf& arguments_of) {
  if (ReentryGuard::is_active()) return next();
  if (is_graph(comm))
    return serve_or(next, row, comm, OnNeighbours<ArgumentsOf>{arguments_of, received, comm});
  const ReentryGuard guard;
  return pass_on(next, row);
}

}  // namespace

// Defines the blocking function of equal blocks.
// NOLINTBEGIN(bugprone-macro-parentheses): a list of parameters is no expression
#define SERVE_NEIGHBOURS(name, arguments)                                                                \
  INTERPOSE_COUNTED(                                                                                     \
      name,                                                                                              \
      (const void* send, Count send_count, MPI_Datatype send_type, void* recv, Count recv_count,         \
       MPI_Datatype recv_type, MPI_Comm comm),                                                           \
      serve_neighbours_or(                                                                               \
          [&] { return next(send, send_count, send_type, recv, recv_count, recv_type, comm); },          \
          CallCounts::row("MPI_" #name), comm, CallSize{recv_count, recv_type},                          \
          [=](NeighbourCounts neighbours) {                                                              \
            return mpi::arguments(neighbours, send, send_count, send_type, recv, recv_count, recv_type); \
          }))
// NOLINTEND(bugprone-macro-parentheses)

SERVE_NEIGHBOURS(Neighbor_allgather, neighbor_allgather)
SERVE_NEIGHBOURS(Neighbor_alltoall, neighbor_alltoall)

#define EQUAL_BLOCKS                                                                        \
  const void *send, Count send_count, MPI_Datatype send_type, void *recv, Count recv_count, \
      MPI_Datatype recv_type, MPI_Comm comm
PASS_ON_REQUESTS(Neighbor_allgather, Ineighbor_allgather, (EQUAL_BLOCKS),
                 (send, send_count, send_type, recv, recv_count, recv_type, comm))
PASS_ON_REQUESTS(Neighbor_alltoall, Ineighbor_alltoall, (EQUAL_BLOCKS),
                 (send, send_count, send_type, recv, recv_count, recv_type, comm))

PASS_ON(Neighbor_allgatherv, Ineighbor_allgatherv,
        (const void* send, Count send_count, MPI_Datatype send_type, void* recv, const Count* recv_counts,
         const Displacement* places, MPI_Datatype recv_type, MPI_Comm comm),
        (send, send_count, send_type, recv, recv_counts, places, recv_type, comm))

PASS_ON(Neighbor_alltoallv, Ineighbor_alltoallv,
        (const void* send, const Count* send_counts, const Displacement* send_places, MPI_Datatype send_type,
         void* recv, const Count* recv_counts, const Displacement* recv_places, MPI_Datatype recv_type,
         MPI_Comm comm),
        (send, send_counts, send_places, send_type, recv, recv_counts, recv_places, recv_type, comm))

// Displacements are bytes, whatever the counts.
PASS_ON(Neighbor_alltoallw, Ineighbor_alltoallw,
        (const void* send, const Count* send_counts, const MPI_Aint* send_places,
         const MPI_Datatype* send_types, void* recv, const Count* recv_counts, const MPI_Aint* recv_places,
         const MPI_Datatype* recv_types, MPI_Comm comm),
        (send, send_counts, send_places, send_types, recv, recv_counts, recv_places, recv_types, comm))

}  // namespace isotrope::pmpi

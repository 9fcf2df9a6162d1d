// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The neighbourhood collectives of the drop-in. Direct messages are what the MPI library sends too, so a call is served
// only if its messages can be combined and the machine makes this faster (Session::combines); else it is passed on. Blocks
// of different sizes are always passed on.
//
// A Cartesian communicator is passed on without being served: its messages are never combined.
#include <mpi.h>
#include <type_traits>

#include "isotrope/mpi/communicator.hpp"
#include "isotrope/mpi/neighbour_arguments.hpp"
#include "isotrope/pmpi/interpose.hpp"
#include "isotrope/pmpi/neighbour_report.hpp"
#include "isotrope/pmpi/session.hpp"

namespace isotrope::pmpi {
namespace {

using mpi::NeighbourArguments;
using mpi::NeighbourCollective;
using mpi::NeighbourCounts;

// The type of displacements beside counts of that type.
template <class Count>
using Displacement = std::conditional_t<std::is_same_v<Count, int>, int, MPI_Aint>;

bool is_graph(MPI_Comm comm) {
  int topology = MPI_UNDEFINED, initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized == 0 || comm == MPI_COMM_NULL) return false;
  return MPI_Topo_test(comm, &topology) == MPI_SUCCESS &&
         (topology == MPI_GRAPH || topology == MPI_DIST_GRAPH);
}

// Whether MPI takes the blocks, which are equal.
bool is_valid(const void* address, const std::vector<mpi::NeighbourBlock>& blocks) {
  if (blocks.empty()) return true;
  const auto& [count, type, displacement] = blocks.front();
  return address != MPI_IN_PLACE && count >= 0 && type != MPI_DATATYPE_NULL &&
         Session::of_process().accepts(type);
}

// Runs the call `arguments_of(neighbours)` if its messages are combined; else pass_on(). Every rank counts the call, so
// that one that refuses it does not disturb the next.
template <class PassOn, class ArgumentsOf>
int serve_or(const PassOn& pass_on, NeighbourCollective function, MPI_Comm comm,
             const ArgumentsOf& arguments_of) {
  if (ReentryGuard::is_active()) return pass_on();
  const ReentryGuard guard;
  Session& session = Session::of_process();
  Member* const member = is_graph(comm) ? session.member(comm) : nullptr;
  mpi::Communicator* const communicator = member != nullptr ? session.serve(comm, *member) : nullptr;
  const NeighbourArguments arguments =
      communicator != nullptr ? arguments_of(communicator->neighbour_counts()) : NeighbourArguments{};
  const bool served = communicator != nullptr && is_valid(arguments.send, arguments.sent) &&
                      is_valid(arguments.receive, arguments.received) &&
                      session.combines(*communicator, arguments);
  NeighbourReport::of_process().count(function, served);
  if (served) return communicator->run(arguments);
  if (communicator != nullptr) communicator->skip_call();
  return pass_on();
}

template <class PassOn>
int pass_on_counted(const PassOn& pass_on, NeighbourCollective function) {
  if (!ReentryGuard::is_active()) NeighbourReport::of_process().count(function, false);
  const ReentryGuard guard;
  return pass_on();
}

}  // namespace

INTERPOSE_COUNTED(
    Neighbor_allgather,
    (const void* send, Count send_count, MPI_Datatype send_type, void* recv, Count recv_count,
     MPI_Datatype recv_type, MPI_Comm comm),
    serve_or([&] { return next(send, send_count, send_type, recv, recv_count, recv_type, comm); },
             NeighbourCollective::allgather, comm,
             [&](NeighbourCounts neighbours) {
               return mpi::neighbor_allgather(neighbours, send, send_count, send_type, recv, recv_count,
                                              recv_type);
             }))

INTERPOSE_COUNTED(
    Neighbor_alltoall,
    (const void* send, Count send_count, MPI_Datatype send_type, void* recv, Count recv_count,
     MPI_Datatype recv_type, MPI_Comm comm),
    serve_or([&] { return next(send, send_count, send_type, recv, recv_count, recv_type, comm); },
             NeighbourCollective::alltoall, comm,
             [&](NeighbourCounts neighbours) {
               return mpi::neighbor_alltoall(neighbours, send, send_count, send_type, recv, recv_count,
                                             recv_type);
             }))

INTERPOSE_COUNTED(
    Neighbor_allgatherv,
    (const void* send, Count send_count, MPI_Datatype send_type, void* recv, const Count* recv_counts,
     const Displacement<Count>* displacements, MPI_Datatype recv_type, MPI_Comm comm),
    pass_on_counted(
        [&] { return next(send, send_count, send_type, recv, recv_counts, displacements, recv_type, comm); },
        NeighbourCollective::allgatherv))

INTERPOSE_COUNTED(Neighbor_alltoallv,
                  (const void* send, const Count* send_counts, const Displacement<Count>* send_places,
                   MPI_Datatype send_type, void* recv, const Count* recv_counts,
                   const Displacement<Count>* recv_places, MPI_Datatype recv_type, MPI_Comm comm),
                  pass_on_counted(
                      [&] {
                        return next(send, send_counts, send_places, send_type, recv, recv_counts, recv_places,
                                    recv_type, comm);
                      },
                      NeighbourCollective::alltoallv))

INTERPOSE_COUNTED(Neighbor_alltoallw,
                  (const void* send, const Count* send_counts, const MPI_Aint* send_places,
                   const MPI_Datatype* send_types, void* recv, const Count* recv_counts,
                   const MPI_Aint* recv_places, const MPI_Datatype* recv_types, MPI_Comm comm),
                  pass_on_counted(
                      [&] {
                        return next(send, send_counts, send_places, send_types, recv, recv_counts,
                                    recv_places, recv_types, comm);
                      },
                      NeighbourCollective::alltoallw))

}  // namespace isotrope::pmpi

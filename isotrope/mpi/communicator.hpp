// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// An MPI communicator whose ranks are the nodes of a network, with collectives that follow its links.
//
//     isotrope::mpi::Communicator cube(MPI_COMM_WORLD, isotrope::network::parse("hypercube:4"));
//     cube.allreduce(MPI_IN_PLACE, sums, 1000, MPI_DOUBLE, MPI_SUM);
//
// Rank r is node r, and ranks send to their neighbours only, unless the machine lets messages pass nodes
// (cut-through), where sends may be direct. Every collective takes what MPI's takes: any datatype,
// MPI_IN_PLACE, any root, counts of 0; counts are MPI_Count, so that they may exceed an int. The same rules
// hold: all ranks of the communicator call the same collectives in the same order with arguments
// that match. Calls on one communicator come from one thread at a time; MPI must be initialised accordingly.
//
// - Which algorithm, and in how many parts, the planner chooses by size for the machine of the options; a
//   program is planned and compiled at its first call and kept (programs.hpp).
// - Operations that do not commute are applied in the order of ranks, over gathered blocks. Those that do
//   are combined along the plan in a fixed order: the same call gives the same bits again.
// - Data travel as they lie: ranks must represent them alike.
// - What is begun goes on within calls on the same communicator: all that is open does whenever one request
//   is tested or waited for. A rank that is elsewhere keeps the others waiting.
//
// Every call returns MPI_SUCCESS or an error code, after calling the error handler of the communicator that
// was given; MPI_Error_string tells what was wrong. With `check`, which ISOTROPE_CHECK=1 in the environment
// also asks for, ranks compare their arguments before every collective, by one reduction of a few numbers,
// and all return the same error where they disagree.
//
// Memory beside the caller's: partial results and blocks that are passed on, N blocks at most, and the
// messages of one round. Source: MPI 3.1, Chapter 5.
#pragma once

#include <memory>
#include <mpi.h>
#include <optional>

#include "isotrope/network/network.hpp"

#include "isotrope/cost/machine.hpp"

#include "isotrope/mpi/request.hpp"

namespace isotrope::mpi {

/// What the planner plans for where nothing is said: ranks on one host, which share its memory.
cost::Machine shared_memory();

/// Those of rank 0 hold for all ranks.
struct Options {
  /// What the planner plans for. Nothing: the machine of the file that ISOTROPE_MACHINE names in the
  /// environment (docs/machine-file.md), else shared_memory().
  std::optional<cost::Machine> machine = {};
  bool check = false;  ///< compare arguments before every collective
};

class Communicator {
 public:
  /// Duplicates `comm`; to be called by all its ranks. `comm` stays the caller's and must outlive this.
  /// @throws Error where `comm` is not an intracommunicator or has not as many ranks as the network nodes.
  Communicator(MPI_Comm comm, network::Network network, Options options = {});
  /// The network is that of the communicator's topology (topology.hpp).
  /// @throws Error also where it has none that is known.
  explicit Communicator(MPI_Comm comm, Options options = {});
  Communicator(Communicator&&) noexcept;
  Communicator& operator=(Communicator&&) noexcept;
  /// Frees the duplicate, unless MPI is finalised. No request may be open.
  ~Communicator();

  int rank() const;
  int size() const;
  const network::Network& network() const;

  // Collectives: each as the MPI function of that name. What begins with `start_` is MPI's non-blocking one:
  // its buffers belong to it until the request is over.

  int broadcast(void* buffer, MPI_Count count, MPI_Datatype type, int root);
  int scatter(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
              MPI_Count receive_count, MPI_Datatype receive_type, int root);
  int gather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
             MPI_Count receive_count, MPI_Datatype receive_type, int root);
  int allgather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                MPI_Count receive_count, MPI_Datatype receive_type);
  int alltoall(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
               MPI_Count receive_count, MPI_Datatype receive_type);
  int reduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op, int root);
  /// MPI_Reduce_scatter_block: every rank ends with `count` elements.
  int reduce_scatter(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op);
  int allreduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op);
  int barrier();

  int start_broadcast(void* buffer, MPI_Count count, MPI_Datatype type, int root, Request& request);
  int start_scatter(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                    MPI_Count receive_count, MPI_Datatype receive_type, int root, Request& request);
  int start_gather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                   MPI_Count receive_count, MPI_Datatype receive_type, int root, Request& request);
  int start_allgather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                      MPI_Count receive_count, MPI_Datatype receive_type, Request& request);
  int start_alltoall(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                     MPI_Count receive_count, MPI_Datatype receive_type, Request& request);
  int start_reduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                   Request& request);
  int start_reduce_scatter(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op,
                           Request& request);
  int start_allreduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op,
                      Request& request);
  int start_barrier(Request& request);

 private:
  class State;

  template <class Begin>
  int begin(Request& request, const Begin& begin);

  std::unique_ptr<State> state_;
};

}  // namespace isotrope::mpi

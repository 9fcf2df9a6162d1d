// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// An MPI communicator whose ranks are the nodes of a network, with collectives that follow its links.
//
//     isotrope::mpi::Communicator cube(MPI_COMM_WORLD, isotrope::network::parse("hypercube:4"));
//     cube.allreduce(MPI_IN_PLACE, sums, 1000, MPI_DOUBLE, MPI_SUM);
//
// Rank r is node r, or the node that a rank map gives it. Ranks send to their neighbours only, unless the machine model lets messages pass nodes
// (cut-through). Every collective has the arguments and the rules of MPI's: any datatype, MPI_IN_PLACE, any
// root, counts of 0; all ranks call the same collectives in the same order with matching arguments. Counts
// are MPI_Count, so they may exceed an int. Calls on one communicator come from one thread at a time, and MPI
// is initialised accordingly.
//
// - The planner chooses the algorithm and the number of segments by the size of the blocks, for the machine
//   model of the options. The first call of a kind plans and compiles; later calls reuse the program
//   (program_cache.hpp).
// - Operations that do not commute are applied in the order of ranks, to gathered blocks. Operations that
//   commute are applied along the plan in a fixed order: the same call gives the same bits again.
// - Ranks must represent data alike: nothing is converted.
// - A nonblocking collective advances in calls on its communicator: testing or waiting for one request
//   advances all. A rank that makes no such call delays the others.
//
// - Neighbourhood collectives take the neighbours from the topology of the caller's communicator, whatever the network.
//   Blocks go straight to the neighbours, or small blocks share messages (message_combining.hpp).
// - Collectives with blocks of unequal sizes have no plan: no rank knows all sizes. Ranks forward units of blocks over the
//   links (vectoring.cpp), or send blocks to their destinations if ranks share a memory.
//
// Every call returns MPI_SUCCESS or an error code, after calling the error handler of the caller's
// communicator; error_string() gives the message, and MPI_Error_string too unless the library is MPICH 4.0. With the option `check`, or with ISOTROPE_CHECK=1 in the
// environment, ranks compare their arguments before every collective by one small reduction, and all return
// the same error if they disagree.
//
// Memory beside the caller's: partial results and forwarded blocks, N blocks at most for N ranks, and the
// messages of one round. Source: MPI 3.1, Chapter 5.
#pragma once

#include <cstdint>
#include <memory>
#include <mpi.h>
#include <optional>
#include <string>
#include <vector>

#include "isotrope/network/parse.hpp"

#include "isotrope/cost/machine.hpp"

#include "isotrope/mpi/arguments.hpp"
#include "isotrope/mpi/listed_arguments.hpp"
#include "isotrope/mpi/request.hpp"

namespace isotrope::network {
class RankMap;
}

namespace isotrope::mpi {

/// The default machine model: ranks on one host, which communicate through shared memory.
cost::Machine shared_memory();

/// The message of an error code that a call of this process has returned. MPICH 4.0 does not keep messages, so
/// MPI_Error_string gives its text for the class there; this function gives the latest message of the class.
std::string error_string(int code);

/// The options of rank 0 hold for all ranks.
struct CommunicatorOptions {
  /// The machine model to plan for: the times of the links between nodes. Default: the file named by ISOTROPE_MACHINE in the environment
  /// (docs/machine-file.md), which may also give the ranks a node, their times in memory and, for the same or no other network, its
  /// failures and the node of every rank; else shared_memory().
  std::optional<cost::Machine> machine = {};
  bool check = false;  ///< compare the arguments of all ranks before every collective
  /// Sums and other reductions of floating-point numbers have bits that do not depend on the network, the plan and the
  /// size of the vector, those of sums not on the order of ranks either (docs/reproducible.md). Also by
  /// ISOTROPE_REPRODUCIBLE=1 in the environment.
  bool reproducible = false;
  /// The node of every rank of the communicator, each node once. Default: as the next member says.
  std::optional<std::vector<network::Node>> nodes = {};
  /// A file with the node of every rank (docs/rank-map.md), which rank 0 reads for all. Default: the one named by
  /// ISOTROPE_RANKS in the environment, if the network is named and the ranks are those of MPI_COMM_WORLD, in any order; else
  /// rank r is node r.
  std::string ranks = {};
  /// How many ranks every node has, if a network is named: a communicator of R ranks a node is planned on the product of the
  /// network and complete:R (docs/machine-file.md). 0: as the machine file says; else one, or as many as all hosts have.
  std::uint32_t ranks_per_node = 0;
};

class Channel;
class ProgramCache;
class ProgressEngine;

class Communicator {
 public:
  /// Creates a communicator with the ranks of `comm` for the messages; all its ranks must call this. No attribute callback
  /// of `comm` runs. `comm` stays the caller's and must outlive this object.
  /// @throws Error if `comm` is no intracommunicator, its number of ranks is not that of the nodes, or of R on each, or the rank map
  /// gives no node to every rank
  Communicator(MPI_Comm comm, network::NamedNetwork network, const CommunicatorOptions& options = {});
  /// On a network whose axes are closed.
  Communicator(MPI_Comm comm, network::Network network, const CommunicatorOptions& options = {})
      : Communicator(comm, network::NamedNetwork{std::move(network)}, options) {}
  /// Takes the network from the topology of `comm` (topology.hpp), or else from the file of ISOTROPE_MACHINE.
  /// @throws Error also if `comm` has no topology that is a known network, and no file gives one
  explicit Communicator(MPI_Comm comm, const CommunicatorOptions& options = {});
  /// Of the drop-in: over a given channel, with programs that several communicators may share, and with options that
  /// all ranks know. Sends nothing. @pre the programs are those of the caller's rank in `comm`
  /// `progress` advances its open collectives, and must outlive them.
  Communicator(MPI_Comm comm, Channel channel, std::shared_ptr<ProgramCache> programs, bool check,
               ProgressEngine& progress);
  /// Of the drop-in: the next calls run programs of that cache. All ranks must do the same. @pre they are for the same
  /// network, ranks and rank
  void use(std::shared_ptr<ProgramCache> programs);
  Communicator(Communicator&&) noexcept;
  Communicator& operator=(Communicator&&) noexcept;
  /// Frees the communicator for the messages, unless MPI is finalised. @pre no request is open
  ~Communicator();

  int rank() const;
  int size() const;
  /// Both, as the makers of listed arguments take them.
  RankOf self() const { return {rank(), size()}; }
  const network::Network& network() const;
  /// Which node every rank is.
  const network::RankMap& ranks() const;
  /// What the network lacks of its links.
  const network::Failures& lacks() const;

  /// Starts any collective. The buffers belong to it until `request` is complete. On errors `request` stays
  /// as it was.
  int start(const Arguments& arguments, Request& request);
  /// Plans and compiles any collective, which `request` then starts as often as the caller likes. All ranks must call
  /// this in the same order. On errors `request` stays as it was.
  int prepare(const Arguments& arguments, PersistentRequest& request);
  /// Runs any collective to its end.
  int run(const Arguments& arguments);
  /// From now on a send buffer may be the receive buffer too, although MPI calls that erroneous: what is sent is what the
  /// buffer holds at the call.
  void accept_same_buffers();
  /// From now on reductions are reproducible, as with that option. All ranks must call this together.
  void reduce_reproducibly();
  /// The same of neighbourhood collectives.
  int start(const NeighbourArguments& arguments, Request& request);
  int run(const NeighbourArguments& arguments);
  /// The same of collectives with blocks of unequal sizes.
  int start(const VectorArguments& arguments, Request& request);
  int prepare(const VectorArguments& arguments, PersistentRequest& request);
  int run(const VectorArguments& arguments);
  /// How many neighbours the topology of the communicator gives this rank; none without a topology.
  NeighbourCounts neighbour_counts() const;
  /// Whether this neighbourhood collective would combine messages; all ranks get the same answer.
  /// @pre the arguments are valid
  bool combines(const NeighbourArguments& arguments);
  /// Whether several edges join the same two ranks; false where no message is ever combined.
  bool has_multiple_edges() const;
  /// Counts a collective that this rank leaves to MPI, which other ranks may have started.
  void skip_call(schedule::Collective collective);
  /// Says that the program has freed the communicator that is served: errors go to MPI_COMM_WORLD from now on.
  void forget_comm();

  // The collectives by name, as in MPI: blocking, nonblocking, persistent.

  int broadcast(void* buffer, MPI_Count count, MPI_Datatype type, int root) {
    return run({Collective::broadcast, {}, {buffer, count, type}, root});
  }
  int scatter(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
              MPI_Count recv_count, MPI_Datatype recv_type, int root) {
    return run({Collective::scatter, {send, send_count, send_type}, {recv, recv_count, recv_type}, root});
  }
  int gather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv, MPI_Count recv_count,
             MPI_Datatype recv_type, int root) {
    return run({Collective::gather, {send, send_count, send_type}, {recv, recv_count, recv_type}, root});
  }
  int allgather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                MPI_Count recv_count, MPI_Datatype recv_type) {
    return run({Collective::allgather, {send, send_count, send_type}, {recv, recv_count, recv_type}});
  }
  int alltoall(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
               MPI_Count recv_count, MPI_Datatype recv_type) {
    return run({Collective::alltoall, {send, send_count, send_type}, {recv, recv_count, recv_type}});
  }
  int reduce(const void* send, void* recv, MPI_Count count, MPI_Datatype type, MPI_Op op, int root) {
    return run({Collective::reduce, {send, count, type}, {recv, count, type}, root, op});
  }
  /// Every rank receives `count` elements.
  int reduce_scatter_block(const void* send, void* recv, MPI_Count count, MPI_Datatype type, MPI_Op op) {
    return run({Collective::reduce_scatter, {send, count, type}, {recv, count, type}, 0, op});
  }
  int allreduce(const void* send, void* recv, MPI_Count count, MPI_Datatype type, MPI_Op op) {
    return run({Collective::allreduce, {send, count, type}, {recv, count, type}, 0, op});
  }
  /// Rank r receives the reduction of the elements of ranks 0..r.
  int scan(const void* send, void* recv, MPI_Count count, MPI_Datatype type, MPI_Op op) {
    return run({Collective::scan, {send, count, type}, {recv, count, type}, 0, op});
  }
  /// Rank r receives the reduction of the elements of ranks 0..r-1; at rank 0 `recv` stays as it is.
  int exscan(const void* send, void* recv, MPI_Count count, MPI_Datatype type, MPI_Op op) {
    return run({Collective::exscan, {send, count, type}, {recv, count, type}, 0, op});
  }
  int barrier() { return run({Collective::barrier}); }

  int ibroadcast(void* buffer, MPI_Count count, MPI_Datatype type, int root, Request& request) {
    return start({Collective::broadcast, {}, {buffer, count, type}, root}, request);
  }
  int iscatter(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
               MPI_Count recv_count, MPI_Datatype recv_type, int root, Request& request) {
    return start({Collective::scatter, {send, send_count, send_type}, {recv, recv_count, recv_type}, root},
                 request);
  }
  int igather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
              MPI_Count recv_count, MPI_Datatype recv_type, int root, Request& request) {
    return start({Collective::gather, {send, send_count, send_type}, {recv, recv_count, recv_type}, root},
                 request);
  }
  int iallgather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                 MPI_Count recv_count, MPI_Datatype recv_type, Request& request) {
    return start({Collective::allgather, {send, send_count, send_type}, {recv, recv_count, recv_type}},
                 request);
  }
  int ialltoall(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                MPI_Count recv_count, MPI_Datatype recv_type, Request& request) {
    return start({Collective::alltoall, {send, send_count, send_type}, {recv, recv_count, recv_type}},
                 request);
  }
  int ireduce(const void* send, void* recv, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
              Request& request) {
    return start({Collective::reduce, {send, count, type}, {recv, count, type}, root, op}, request);
  }
  int ireduce_scatter_block(const void* send, void* recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                            Request& request) {
    return start({Collective::reduce_scatter, {send, count, type}, {recv, count, type}, 0, op}, request);
  }
  int iallreduce(const void* send, void* recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                 Request& request) {
    return start({Collective::allreduce, {send, count, type}, {recv, count, type}, 0, op}, request);
  }
  int iscan(const void* send, void* recv, MPI_Count count, MPI_Datatype type, MPI_Op op, Request& request) {
    return start({Collective::scan, {send, count, type}, {recv, count, type}, 0, op}, request);
  }
  int iexscan(const void* send, void* recv, MPI_Count count, MPI_Datatype type, MPI_Op op, Request& request) {
    return start({Collective::exscan, {send, count, type}, {recv, count, type}, 0, op}, request);
  }
  int ibarrier(Request& request) { return start(Arguments{Collective::barrier}, request); }

  // The neighbourhood collectives by name, blocking, then nonblocking. Arrays have one entry per neighbour; places are
  // displacements in extents, those of alltoallw in bytes.

  int neighbor_allgather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                         MPI_Count recv_count, MPI_Datatype recv_type) {
    return run(mpi::neighbor_allgather(neighbour_counts(), send, send_count, send_type, recv, recv_count,
                                       recv_type));
  }
  int neighbor_allgatherv(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                          const MPI_Count* recv_counts, const MPI_Aint* recv_places, MPI_Datatype recv_type) {
    return run(mpi::neighbor_allgatherv(neighbour_counts(), send, send_count, send_type, recv, recv_counts,
                                        recv_places, recv_type));
  }
  int neighbor_alltoall(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                        MPI_Count recv_count, MPI_Datatype recv_type) {
    return run(
        mpi::neighbor_alltoall(neighbour_counts(), send, send_count, send_type, recv, recv_count, recv_type));
  }
  int neighbor_alltoallv(const void* send, const MPI_Count* send_counts, const MPI_Aint* send_places,
                         MPI_Datatype send_type, void* recv, const MPI_Count* recv_counts,
                         const MPI_Aint* recv_places, MPI_Datatype recv_type) {
    return run(mpi::neighbor_alltoallv(neighbour_counts(), send, send_counts, send_places, send_type, recv,
                                       recv_counts, recv_places, recv_type));
  }
  int neighbor_alltoallw(const void* send, const MPI_Count* send_counts, const MPI_Aint* send_places,
                         const MPI_Datatype* send_types, void* recv, const MPI_Count* recv_counts,
                         const MPI_Aint* recv_places, const MPI_Datatype* recv_types) {
    return run(mpi::neighbor_alltoallw(neighbour_counts(), send, send_counts, send_places, send_types, recv,
                                       recv_counts, recv_places, recv_types));
  }

  int ineighbor_allgather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                          MPI_Count recv_count, MPI_Datatype recv_type, Request& request) {
    return start(
        mpi::neighbor_allgather(neighbour_counts(), send, send_count, send_type, recv, recv_count, recv_type),
        request);
  }
  int ineighbor_allgatherv(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                           const MPI_Count* recv_counts, const MPI_Aint* recv_places, MPI_Datatype recv_type,
                           Request& request) {
    return start(mpi::neighbor_allgatherv(neighbour_counts(), send, send_count, send_type, recv, recv_counts,
                                          recv_places, recv_type),
                 request);
  }
  int ineighbor_alltoall(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                         MPI_Count recv_count, MPI_Datatype recv_type, Request& request) {
    return start(
        mpi::neighbor_alltoall(neighbour_counts(), send, send_count, send_type, recv, recv_count, recv_type),
        request);
  }
  int ineighbor_alltoallv(const void* send, const MPI_Count* send_counts, const MPI_Aint* send_places,
                          MPI_Datatype send_type, void* recv, const MPI_Count* recv_counts,
                          const MPI_Aint* recv_places, MPI_Datatype recv_type, Request& request) {
    return start(mpi::neighbor_alltoallv(neighbour_counts(), send, send_counts, send_places, send_type, recv,
                                         recv_counts, recv_places, recv_type),
                 request);
  }
  int ineighbor_alltoallw(const void* send, const MPI_Count* send_counts, const MPI_Aint* send_places,
                          const MPI_Datatype* send_types, void* recv, const MPI_Count* recv_counts,
                          const MPI_Aint* recv_places, const MPI_Datatype* recv_types, Request& request) {
    return start(mpi::neighbor_alltoallw(neighbour_counts(), send, send_counts, send_places, send_types, recv,
                                         recv_counts, recv_places, recv_types),
                 request);
  }

  int broadcast_init(void* buffer, MPI_Count count, MPI_Datatype type, int root, PersistentRequest& request) {
    return prepare({Collective::broadcast, {}, {buffer, count, type}, root}, request);
  }
  int scatter_init(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                   MPI_Count recv_count, MPI_Datatype recv_type, int root, PersistentRequest& request) {
    return prepare({Collective::scatter, {send, send_count, send_type}, {recv, recv_count, recv_type}, root},
                   request);
  }
  int gather_init(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                  MPI_Count recv_count, MPI_Datatype recv_type, int root, PersistentRequest& request) {
    return prepare({Collective::gather, {send, send_count, send_type}, {recv, recv_count, recv_type}, root},
                   request);
  }
  int allgather_init(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                     MPI_Count recv_count, MPI_Datatype recv_type, PersistentRequest& request) {
    return prepare({Collective::allgather, {send, send_count, send_type}, {recv, recv_count, recv_type}},
                   request);
  }
  int alltoall_init(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                    MPI_Count recv_count, MPI_Datatype recv_type, PersistentRequest& request) {
    return prepare({Collective::alltoall, {send, send_count, send_type}, {recv, recv_count, recv_type}},
                   request);
  }
  int reduce_init(const void* send, void* recv, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                  PersistentRequest& request) {
    return prepare({Collective::reduce, {send, count, type}, {recv, count, type}, root, op}, request);
  }
  int reduce_scatter_block_init(const void* send, void* recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                PersistentRequest& request) {
    return prepare({Collective::reduce_scatter, {send, count, type}, {recv, count, type}, 0, op}, request);
  }
  int allreduce_init(const void* send, void* recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                     PersistentRequest& request) {
    return prepare({Collective::allreduce, {send, count, type}, {recv, count, type}, 0, op}, request);
  }
  int scan_init(const void* send, void* recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                PersistentRequest& request) {
    return prepare({Collective::scan, {send, count, type}, {recv, count, type}, 0, op}, request);
  }
  int exscan_init(const void* send, void* recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                  PersistentRequest& request) {
    return prepare({Collective::exscan, {send, count, type}, {recv, count, type}, 0, op}, request);
  }
  int barrier_init(PersistentRequest& request) { return prepare({Collective::barrier}, request); }

  // Collectives with blocks of unequal sizes by name, blocking, nonblocking, persistent. Lists have one entry per rank; places
  // are displacements in extents, those of alltoallw in bytes. In a reduce_scatter rank r receives counts[r] elements.

  int scatterv(const void* send, const MPI_Count* send_counts, const MPI_Aint* send_places,
               MPI_Datatype send_type, void* recv, MPI_Count recv_count, MPI_Datatype recv_type, int root) {
    return run(
        mpi::scatterv(self(), send, send_counts, send_places, send_type, recv, recv_count, recv_type, root));
  }
  int gatherv(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
              const MPI_Count* recv_counts, const MPI_Aint* recv_places, MPI_Datatype recv_type, int root) {
    return run(
        mpi::gatherv(self(), send, send_count, send_type, recv, recv_counts, recv_places, recv_type, root));
  }
  int allgatherv(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                 const MPI_Count* recv_counts, const MPI_Aint* recv_places, MPI_Datatype recv_type) {
    return run(
        mpi::allgatherv(self(), send, send_count, send_type, recv, recv_counts, recv_places, recv_type));
  }
  int alltoallv(const void* send, const MPI_Count* send_counts, const MPI_Aint* send_places,
                MPI_Datatype send_type, void* recv, const MPI_Count* recv_counts, const MPI_Aint* recv_places,
                MPI_Datatype recv_type) {
    return run(mpi::alltoallv(self(), send, send_counts, send_places, send_type, recv, recv_counts,
                              recv_places, recv_type));
  }
  int alltoallw(const void* send, const MPI_Count* send_counts, const MPI_Aint* send_places,
                const MPI_Datatype* send_types, void* recv, const MPI_Count* recv_counts,
                const MPI_Aint* recv_places, const MPI_Datatype* recv_types) {
    return run(mpi::alltoallw(self(), send, send_counts, send_places, send_types, recv, recv_counts,
                              recv_places, recv_types));
  }
  int reduce_scatter(const void* send, void* recv, const MPI_Count* counts, MPI_Datatype type, MPI_Op op) {
    return run(mpi::reduce_scatter(self(), send, recv, counts, type, op));
  }

  int iscatterv(const void* send, const MPI_Count* send_counts, const MPI_Aint* send_places,
                MPI_Datatype send_type, void* recv, MPI_Count recv_count, MPI_Datatype recv_type, int root,
                Request& request) {
    return start(
        mpi::scatterv(self(), send, send_counts, send_places, send_type, recv, recv_count, recv_type, root),
        request);
  }
  int igatherv(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
               const MPI_Count* recv_counts, const MPI_Aint* recv_places, MPI_Datatype recv_type, int root,
               Request& request) {
    return start(
        mpi::gatherv(self(), send, send_count, send_type, recv, recv_counts, recv_places, recv_type, root),
        request);
  }
  int iallgatherv(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                  const MPI_Count* recv_counts, const MPI_Aint* recv_places, MPI_Datatype recv_type,
                  Request& request) {
    return start(
        mpi::allgatherv(self(), send, send_count, send_type, recv, recv_counts, recv_places, recv_type),
        request);
  }
  int ialltoallv(const void* send, const MPI_Count* send_counts, const MPI_Aint* send_places,
                 MPI_Datatype send_type, void* recv, const MPI_Count* recv_counts,
                 const MPI_Aint* recv_places, MPI_Datatype recv_type, Request& request) {
    return start(mpi::alltoallv(self(), send, send_counts, send_places, send_type, recv, recv_counts,
                                recv_places, recv_type),
                 request);
  }
  int ialltoallw(const void* send, const MPI_Count* send_counts, const MPI_Aint* send_places,
                 const MPI_Datatype* send_types, void* recv, const MPI_Count* recv_counts,
                 const MPI_Aint* recv_places, const MPI_Datatype* recv_types, Request& request) {
    return start(mpi::alltoallw(self(), send, send_counts, send_places, send_types, recv, recv_counts,
                                recv_places, recv_types),
                 request);
  }
  int ireduce_scatter(const void* send, void* recv, const MPI_Count* counts, MPI_Datatype type, MPI_Op op,
                      Request& request) {
    return start(mpi::reduce_scatter(self(), send, recv, counts, type, op), request);
  }

  int scatterv_init(const void* send, const MPI_Count* send_counts, const MPI_Aint* send_places,
                    MPI_Datatype send_type, void* recv, MPI_Count recv_count, MPI_Datatype recv_type,
                    int root, PersistentRequest& request) {
    return prepare(
        mpi::scatterv(self(), send, send_counts, send_places, send_type, recv, recv_count, recv_type, root),
        request);
  }
  int gatherv_init(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                   const MPI_Count* recv_counts, const MPI_Aint* recv_places, MPI_Datatype recv_type,
                   int root, PersistentRequest& request) {
    return prepare(
        mpi::gatherv(self(), send, send_count, send_type, recv, recv_counts, recv_places, recv_type, root),
        request);
  }
  int allgatherv_init(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                      const MPI_Count* recv_counts, const MPI_Aint* recv_places, MPI_Datatype recv_type,
                      PersistentRequest& request) {
    return prepare(
        mpi::allgatherv(self(), send, send_count, send_type, recv, recv_counts, recv_places, recv_type),
        request);
  }
  int alltoallv_init(const void* send, const MPI_Count* send_counts, const MPI_Aint* send_places,
                     MPI_Datatype send_type, void* recv, const MPI_Count* recv_counts,
                     const MPI_Aint* recv_places, MPI_Datatype recv_type, PersistentRequest& request) {
    return prepare(mpi::alltoallv(self(), send, send_counts, send_places, send_type, recv, recv_counts,
                                  recv_places, recv_type),
                   request);
  }
  int alltoallw_init(const void* send, const MPI_Count* send_counts, const MPI_Aint* send_places,
                     const MPI_Datatype* send_types, void* recv, const MPI_Count* recv_counts,
                     const MPI_Aint* recv_places, const MPI_Datatype* recv_types,
                     PersistentRequest& request) {
    return prepare(mpi::alltoallw(self(), send, send_counts, send_places, send_types, recv, recv_counts,
                                  recv_places, recv_types),
                   request);
  }
  int reduce_scatter_init(const void* send, void* recv, const MPI_Count* counts, MPI_Datatype type, MPI_Op op,
                          PersistentRequest& request) {
    return prepare(mpi::reduce_scatter(self(), send, recv, counts, type, op), request);
  }

 private:
  Communicator(MPI_Comm comm, std::optional<network::NamedNetwork> network,
               const CommunicatorOptions& options);

  using Collective = schedule::Collective;
  class State;

  std::unique_ptr<State> state_;
};

}  // namespace isotrope::mpi

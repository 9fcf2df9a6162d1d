// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the drop-in knows between MPI_Init and MPI_Finalize: the network of MPI_COMM_WORLD, and for every
// communicator that has been used the one that serves it.
//
//     ISOTROPE_NETWORK=hypercube:4    of MPI_COMM_WORLD, whose rank r is node r; what rank 0 has there holds for all
//     ISOTROPE_REPORT=1               rank 0 tells on stderr in MPI_Finalize what was taken; so
//
// A communicator is served where its topology is a known network (mpi/topology.hpp), else where it has the
// ranks of MPI_COMM_WORLD in their order and that has a network. Which it is, its ranks find together at
// their first collective on it. The answer is kept as an attribute, which copies of the communicator do not
// get and which goes when it is freed.
//
// Where a network is malformed or has not as many nodes as there are ranks, one rank says so, and the MPI
// library does all as if nothing were there.
//
// Threads may call collectives on different communicators at the same time where MPI allows it.
#pragma once

#include <mpi.h>
#include <optional>

#include "isotrope/network/network.hpp"

#include "isotrope/mpi/communicator.hpp"
#include "isotrope/pmpi/report.hpp"

namespace isotrope::pmpi {

class Session {
 public:
  static Session& of_process();

  /// Ends the program where its MPI library is not the one that this was built for: they have different
  /// binary interfaces.
  static void require_own_library();

  /// To be called by all ranks when MPI is initialised.
  void begin();
  /// To be called by all ranks before MPI is finalised.
  void end();

  /// Who serves that communicator, null where nobody does. Where it has not been used yet, to be called by
  /// all its ranks.
  mpi::Communicator* communicator(MPI_Comm comm);
  void count(Call call, bool taken) { report_.count(call, taken); }

 private:
  void print_report() const;
  std::optional<network::Network> network_of(MPI_Comm comm) const;
  std::optional<mpi::Communicator> found(MPI_Comm comm) const;

  int key_ = MPI_KEYVAL_INVALID;  // of the attribute; invalid but between begin() and end()
  bool reports_ = false;
  std::optional<network::Network> world_network_;
  Report report_;
};

}  // namespace isotrope::pmpi

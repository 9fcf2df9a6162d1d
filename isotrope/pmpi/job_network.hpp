// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The machine of the job and the network of MPI_COMM_WORLD, as the environment of rank 0 names them, on all ranks alike.
//
//     ISOTROPE_NETWORK=hypercube:4    rank r is node r, or every host is a node (mpi/job_places.hpp)
//     ISOTROPE_MACHINE=FILE           the machine; its network, failures and ranks, if ISOTROPE_NETWORK names none
//     ISOTROPE_RANKS=FILE             the node of every rank there, if it is another one
//
// If the network is malformed or does not fit the number of ranks, rank 0 says so, and MPI_COMM_WORLD has none. If the machine file
// or the rank map is wrong, nothing is served at all, not even communicators with a topology.
#pragma once

#include <cstdint>
#include <mpi.h>
#include <optional>
#include <string>
#include <vector>

#include "isotrope/network/rank_map.hpp"

#include "isotrope/cost/machine.hpp"

#include "isotrope/mpi/job_places.hpp"

namespace isotrope::pmpi {

/// A network with the machine for its links.
struct TimedNetwork {
  network::MappedNetwork mapped;
  cost::Machine machine;
};

class JobNetwork {
 public:
  /// Reads the environment. Collective.
  void find();

  /// Nothing if nothing is to be served.
  const std::optional<mpi::JobMachine>& machine() const { return machine_; }
  /// The network of MPI_COMM_WORLD; nothing if it has none.
  const std::optional<TimedNetwork>& world() const { return world_; }
  /// The nodes of ranks of MPI_COMM_WORLD. @pre it has a network
  std::vector<network::Node> nodes_of(const std::vector<int>& ranks) const;
  /// "is torus:4x4, 4 ranks a node", to follow "MPI_COMM_WORLD".
  std::string in_words() const;

 private:
  void find_machine();
  void find_world();
  mpi::PlacedJob placed(const network::NamedNetwork& nodes, bool is_of_machine) const;
  void leave_world(const char* variable, const char* what);
  void serve_nothing(const char* what);

  std::optional<mpi::JobMachine> machine_;
  std::optional<TimedNetwork> world_;
  std::uint32_t ranks_per_node_ = 1;
  std::string left_of_;           // the network whose nodes it has, if some have failed
  std::string lost_;              // the links of its network that have failed, in words
  std::string placed_by_;         // the file that gives the nodes of its ranks; empty: none
  std::string no_world_because_;  // a fault of what the environment says
};

}  // namespace isotrope::pmpi

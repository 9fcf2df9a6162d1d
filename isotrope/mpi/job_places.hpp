// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The machine of a job and the places of its ranks, on all ranks alike: by the machine file, the rank map and the hosts.
//
//     torus:4x4, 64 ranks on 16 hosts of 4 each      torus:4x4xcomplete:4; host h, by its lowest rank, is node h
//
// With several ranks a node and no rank map, the nodes are the hosts, which share a memory (MPI_COMM_TYPE_SHARED), in the order of their lowest
// ranks; so a launcher may fill host after host, or deal ranks round. If all ranks are on one host, as in a test, rank r is in place r.
#pragma once

#include <cstdint>
#include <functional>
#include <mpi.h>
#include <optional>
#include <string>

#include "isotrope/network/rank_map.hpp"

#include "isotrope/cost/machine.hpp"

#include "isotrope/io/machine_file.hpp"

namespace isotrope::mpi {

/// The machine of a job. Without a file that of shared_memory(), and nothing is known of its nodes.
struct JobMachine {
  std::string file = {};  ///< empty: none
  cost::Machine links;    ///< the times of the links of the nodes
  io::MachineNodes nodes = {};
};

/// The machine file that ISOTROPE_MACHINE names in the environment of rank 0, which reads it for all. Collective.
/// @throws Error, on all ranks or on none, which begins with the name of the variable
JobMachine machine_of_environment(MPI_Comm comm);

/// The same of a file that all ranks name; an empty name is that of no file.
JobMachine shared_machine(const std::string& file, MPI_Comm comm);

/// The network of the machine file with its failures; nothing if it gives none. Collective.
/// @throws Error naming file and key
std::optional<network::NamedNetwork> network_of_machine(const JobMachine& machine, MPI_Comm comm);

/// The places of the ranks of `comm` with so many ranks a node, if something gives them. Failed nodes have no ranks.
using GivenRanks = std::function<std::optional<network::RankMap>(const network::NamedNetwork& nodes,
                                                                 std::uint32_t ranks_per_node)>;

/// By the rank map of the machine file. @pre the network of the nodes is that of the file
std::optional<network::RankMap> ranks_of_machine(const JobMachine& machine,
                                                 const network::NamedNetwork& nodes,
                                                 std::uint32_t ranks_per_node, MPI_Comm comm);

/// By the file that ISOTROPE_RANKS names in the environment of rank 0; nothing if it names none. Collective.
/// @throws Error, on all ranks or on none, which begins with the name of the variable
std::optional<network::RankMap> ranks_of_environment(const network::NamedNetwork& nodes,
                                                     std::uint32_t ranks_per_node, MPI_Comm comm);

/// A job on a network.
struct PlacedJob {
  network::MappedNetwork network;    ///< of the places of the ranks
  cost::Machine machine = {};        ///< for this network
  std::uint32_t ranks_per_node = 1;  ///< its last axis, if they are several
};

/// Places the ranks of `comm` on those of `nodes` that have not failed (cost/nodes_left.hpp). Collective.
/// @param ranks_per_node 0: as many as the number of ranks says, if `given` or the hosts say so too
/// @throws Error, on all ranks alike, if the numbers of ranks, nodes and hosts contradict each other, nodes that are left
/// are cut off, or link classes of the machine are none of the network
PlacedJob place_job(const network::NamedNetwork& nodes, const JobMachine& machine,
                    std::uint32_t ranks_per_node, const GivenRanks& given, MPI_Comm comm);

/// A job whose rank r is node r. @throws Error if link classes of the machine are none of the network
PlacedJob job_in_order(network::NamedNetwork nodes, const JobMachine& machine);

}  // namespace isotrope::mpi

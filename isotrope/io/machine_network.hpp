// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The network of a machine file with what has failed of it, the places of several ranks in every node, and the ranks in these places.
//
//     "network": "line:2xring:3", "ranks_per_node": 2, "ranks": [5, 5, 0, 0, ...]
//
//     nodes      line:2xring:3
//     places     line:2xring:3xcomplete:2      what the planner plans on (network/node_places.hpp)
//     ranks      rank 0 in place 10, rank 1 in place 11, rank 2 in place 0, ...
#pragma once

#include <cstdint>
#include <string>

#include "isotrope/network/rank_map.hpp"

#include "isotrope/cost/link_times.hpp"
#include "isotrope/cost/machine.hpp"

#include "isotrope/io/machine_file.hpp"
#include "isotrope/io/network_file.hpp"

namespace isotrope::io {

/// The network of the machine `file`, with its failures. @pre it gives a network
/// @throws Error naming the file and the key: no such network, failures that it does not have
network::NamedNetwork nodes_of_machine(const std::string& file, const MachineNodes& machine,
                                       const ReadFile& read);

/// The places of the ranks on the machine `file`, by its rank map; without one, rank r is place r.
/// @param nodes the network of the nodes  @param ranks_per_node those of the places
/// @throws Error naming the file and the key: the map does not give every node to so many ranks
network::RankMap ranks_of_machine(const std::string& file, const MachineNodes& machine,
                                  const network::NamedNetwork& nodes, std::uint32_t ranks_per_node,
                                  const ReadFile& read);

/// The times of messages inside a node: those of the file, else cost::memory_of_host.
cost::LinkTime memory_of_machine(const MachineNodes& machine);

}  // namespace isotrope::io

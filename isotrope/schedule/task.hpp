// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The task: a collective by its MPI name, its root, and the number of equal parts of every block.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/collective.hpp"
#include "isotrope/schedule/traffic.hpp"

namespace isotrope::schedule {

using network::Network;
using network::Port;

struct Task {
  Collective collective = Collective::alltoall;
  Node root = 0;                                       ///< of rooted collectives
  std::uint32_t parts = 1;                             ///< every block is cut into this many equal parts
  std::uint32_t nearest = 0, farthest = 0;             ///< K and L of neighborhood, 1 <= K <= L
  std::vector<RelativeDestination> destinations = {};  ///< of isotropic
  std::vector<Delivery> deliveries = {};               ///< of task
  /// Of allreduce, for bounds: the blocks that the vector is cut into. 0: one per node that is up. A plan lists its
  /// own.
  std::uint32_t vector_blocks = 0;

  bool operator==(const Task&) const = default;
};

/// MPI's name: "alltoall", "reduce-scatter", "neighborhood:1:2", ...
std::string to_string(const Task& task);

/// The task named by an MPI name or by a paper's alias (multinode-broadcast, total-exchange, ...), with root
/// and parts checked against the network.
/// @throws Error for an unknown name (with the nearest ones), a root outside the network, or a bad part count.
Task parse_task(std::string_view collective, const Network& network, std::uint64_t root = 0,
                std::uint64_t parts = 1);

}  // namespace isotrope::schedule

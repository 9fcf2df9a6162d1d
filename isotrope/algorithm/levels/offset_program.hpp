// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Register programs (level_plan.hpp) by offsets: all nodes with the same parity of one coordinate send alike.
//
//     ring:4, exchange with x ^ 1    offset 1 of even nodes, 3 of odd ones
//
// So what holds at node 0, and at a node with an odd coordinate, holds everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/algorithm/levels/level_plan.hpp"

namespace isotrope::algorithm {

/// A message of every node: its offset, an element of the group, and what it contains.
struct OffsetSend {
  network::Node even = 0;                ///< from senders with an even coordinate to their receivers
  network::Node odd = 0;                 ///< from senders with an odd one
  std::vector<std::uint32_t> registers;  ///< as RegisterSend
};

using OffsetStep = std::vector<OffsetSend>;

struct OffsetProgram {
  std::size_t coordinate = 0;  ///< of the group, whose parity counts
  std::vector<OffsetStep> steps;
};

/// The receivers of a message. @pre `coordinate` is one of the group of `network`
Permutation receivers(const network::Network& network, std::size_t coordinate, network::Node even,
                      network::Node odd);

/// The program of all nodes.
RegisterProgram on_nodes(const network::Network& network, const OffsetProgram& program);

}  // namespace isotrope::algorithm

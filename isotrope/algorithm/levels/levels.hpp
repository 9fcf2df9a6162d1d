// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Allreduce by levels: reduce-scatter over some divisions of the nodes, register programs inside the smallest
// components, and the divisions backwards as an allgather.
//
// A *permutation* says to whom every node sends. A *register program* is a list of steps; in a step every node sends,
// by each of some permutations, the sum of some of its registers: register 0 is what it had when the program began,
// the others are what it has received in the program, in order. At the end a node adds all registers.
//
// A *division* is a list of r - 1 permutations. The components of level i are the nodes that the divisions from i on,
// and the programs, join. A division splits each component of its level into r: a node and its r - 1 partners lie in
// different ones. Every component owns a share of the blocks of its parent, so that in the reduce-scatter node x sends
// to its partner y the blocks of the component of y:
//
//     ring:4      division x ^ 1    {0 1 2 3} -> {0 3} {1 2}    0 sends block {1 2} to 1, and 1 sends block {0 3} to 0
//                 program           0 <-> 3, 1 <-> 2            the whole sum of the block
//                 division x ^ 1                                0 sends block {0 3} to 1, and so on
//
// Several copies of a plan, each for a share of the vector, run in the same rounds.
//
// Cost: O(N r) per block and division. Correctness follows from the components, which are checked; the checker proves
// every schedule.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/port_model.hpp"

#include "isotrope/algorithm/levels/exchange_writer.hpp"

namespace isotrope::algorithm {

/// The receiver of every node's message.
using Permutation = std::vector<network::Node>;

/// One message of every node.
struct RegisterSend {
  Permutation to;
  std::vector<std::uint32_t> registers;  ///< of the sender, ascending; received in earlier steps
};

using RegisterStep = std::vector<RegisterSend>;
using RegisterProgram = std::vector<RegisterStep>;

/// A plan for one share of the vector.
struct LevelPlan {
  std::vector<std::vector<Permutation>> divisions;  ///< partners of every node
  std::vector<RegisterProgram> programs;
};

/// The number of blocks that the divisions of `plan` make: the product of their r.
std::uint32_t block_count(const LevelPlan& plan);

/// The allreduce by `copies`, on `network`. The vector has block_count parts per copy, those of the first copy first.
/// @pre at least one copy; all have as many blocks, and permutations of the nodes of the network.
/// @throws Error if a division does not split its components
OverlaidSchedule exchange_by_levels(const network::Network& network, std::span<const LevelPlan> copies,
                                    schedule::PortModel ports);

}  // namespace isotrope::algorithm

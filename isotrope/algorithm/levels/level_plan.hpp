// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans by levels: divisions, then register programs. levels.hpp says what an allreduce makes of them, level_copies.hpp
// what a broadcast and an allgather do.
//
// A *permutation* says to whom every node sends. A *register program* is a list of steps; in a step every node sends,
// by each of some permutations, the sum of some of its registers: register 0 is what it had when the program began,
// the others are what it has received in the program, in order. At the end a node adds all registers.
//
// A *division* is a list of r - 1 permutations. The components of level i are the nodes that the divisions from i on,
// and the programs, join. A division splits each component of its level into r: a node and its r - 1 partners lie in
// different ones. Every component owns a share of the blocks of its parent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isotrope/network/network.hpp"

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

/// The steps of all programs of `plan`, which must outlive them.
std::vector<const RegisterStep*> steps_of(const LevelPlan& plan);

/// The most messages that a node sends in a round of the plan.
std::size_t most_messages(const LevelPlan& plan);

}  // namespace isotrope::algorithm

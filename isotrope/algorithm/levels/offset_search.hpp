// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A search for register programs (level_plan.hpp) on any finite abelian group, for machines on which every message
// costs its sender and its receiver time.
//
// Register r of a node v has the contributions of v + S_r, for a set S_r of offsets; S_0 = {0}. A message from v + d
// with registers J makes a register with the union of d + S_j, j in J. A program is right if these sets never meet, and
// fill the group at the end. Two symmetries make a step of few messages grow what a node knows by much:
//
//     mirrored     with the message from v + d comes one from v - d with the mirror images of J: three times as much
//     by parity    nodes with an odd coordinate take the mirror image of what the others do: twice as much a message
//
//     hexmesh:3, mirrored    from v +- 1: {0}, from v +- 8: {0 1 2}, from v + 3: {0 2 4}, from v - 3: {0 1 3}
//                            sets of 3, 9 and 19 of 19 nodes; 1 + 1 + 2 hops
//
// Divisions (level_plan.hpp) come first, and the program joins the part of the group that they leave (group_part.hpp). Of the
// divisions of a part the three with the nearest partners and offsets are tried, and of all parts the twelve with the nearest.
//
// Method: a random walk through steps whose messages come from near and bring all or most that their senders have. As soon as
// three messages can bring the rest, these are searched for as an exact cover of the missing offsets. Walks that cannot end
// below the best program so far stop. A step of n messages over h hops costs n + 1 + h: a start-up for each message at the
// sender, one at the receiver, and one per hop.
//
// Cost: a limit of work, N^4 steps for parts of N nodes and 2^24 at most, 2^22 after divisions, shared by the parts: about 0.1 s.
// Memory O(N^2). The same program every time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/algorithm/levels/offset_program.hpp"

namespace isotrope::algorithm {

/// The most nodes of a group that is divided, and of a part for which programs are searched.
inline constexpr network::Node most_searched_nodes = 1024;
inline constexpr network::Node most_searched_offsets = 256;

/// The most divisions, and messages of a step.
inline constexpr std::uint32_t most_searched_messages = 3;
inline constexpr std::uint32_t most_searched_divisions = 5;

/// The divisions of a group, and a program for what they leave. The sends of divisions have no registers.
struct DividedProgram {
  std::vector<OffsetStep> divisions;
  OffsetProgram program;
};

/// The cheapest program that was found, if any. @param messages of a step, at most: 1 to most_searched_messages
/// None for greater parts. @pre 2 to most_searched_nodes nodes, most_searched_divisions at most
std::optional<DividedProgram> search_offset_program(const network::Network& network, std::uint32_t divisions,
                                                    std::uint32_t messages);

}  // namespace isotrope::algorithm

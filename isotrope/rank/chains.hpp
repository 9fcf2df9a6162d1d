// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The chains of a program (schedule/plan.hpp): what a node does for the parts of one chain is a program of its own, with
// the same rounds and buffers.
//
//     chains 2, parts 2    message of round 3 | part 0 of the sum, part 1 of the sum |    one message of each chain
//
// Shares of the data all do the same, each with its own stretch of every block (Segmentation::share). Those of two blocks do not
// follow each other, so the program of a share has no fragment over the border of two blocks.
//
// Parts never meet: each has units, and slots if it needs any, of its own. So the chains may run in any order, or
// at the same time.
//
// Cost: O(units of all fragments).
#pragma once

#include <vector>

#include "isotrope/rank/program.hpp"

namespace isotrope::rank {

/// @pre the program has one window, gathers nothing to be reduced, and `chains` > 1 divides its parts
std::vector<RankProgram> split_into_chains(const RankProgram& program, std::uint32_t chains);

/// The same program, whose fragments end with their blocks. @pre as above
RankProgram cut_at_blocks(const RankProgram& program);

}  // namespace isotrope::rank

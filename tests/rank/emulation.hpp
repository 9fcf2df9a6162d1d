// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the programs of all nodes of a plan side by side in one thread, on elements of one byte, combining by
// addition modulo 256: the reference for what executes programs, and the check that they fit together.
#pragma once

#include <cstdint>
#include <string>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::rank {

/// "" where every node ends with the blocks that the collective asks for, else the first thing found wrong: a
/// message that has no partner, a fragment outside its buffer, or a wrong byte. Blocks (of allreduce and barrier
/// the vector) have `elements` bytes; of an allreduce that reduces what it has gathered, the output is all vectors. Chains run one after the other, the last one first. The plan is moved by the translation 0 -> `moved_by`.
std::string emulate(const schedule::Plan& plan, std::uint64_t elements, network::Node moved_by = 0);

}  // namespace isotrope::rank

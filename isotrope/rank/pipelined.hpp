// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Pipelined broadcasts: every node sends a packet on as soon as the packet is here, whatever its round, while
// others are on their way, so that start-ups overlap if they occupy no link. The packets of every tree are a
// pipeline, whose first packets have sizes of their own (cost/ramp.hpp).
//
//     3 trees, P = 7     tree 0    part 0   1   2      leave the root in rounds 0 1 2
//                        tree 1         3   4   5                             0 1 2
//                        tree 2         6                                     0
//     weights, w = 2               2 100 100 | 2 100 100 | 2
#pragma once

#include <cstdint>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/rank/program.hpp"

namespace isotrope::rank {

/// Has `program`, which was compiled from `plan`, executed with `window` messages of the root on a link at a time,
/// 2..cost::most_in_flight. Cost: O(hops). @pre the plan is a broadcast in strict rounds under all ports.
void make_pipelined(RankProgram& program, const schedule::Plan& plan, std::uint32_t window);

}  // namespace isotrope::rank

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// An exchange as the paths of its packets, a JSON object on a line each:
//
//     [{"round": 3, "src": 0, "dst": 9, "path": [0, 1, 9]}, ...]     without waiting: hop i is in round `round` + i
//     [{"step": 3, "src": 0, "dst": 9, "path": [0, 1, 9]}, ...]      in packed steps: all hops are in step `step`
//
// Rounds and steps count from 0. Packets of all nodes are listed, in order of rounds or steps. Packets that do not move are
// left out; blocks in several parts have as many lines, with a member "part".
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::exports {

/// @param progress called now and then with the share done, 0..1; its exceptions are passed on
/// @pre the plan is valid (verify it first).
/// @throws Error if packets wait and are not packed in steps, so that a path does not tell its rounds, and if the plan has too
/// many hops (sizes.hpp).
void write_paths(std::ostream& out, const schedule::Plan& plan,
                 const std::function<void(double)>& progress = {});

}  // namespace isotrope::exports

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a plan does, by the plainest means: every translate of every packet and hop written out, and of what
// is held only whose contributions are in it.
#pragma once

#include <cstdint>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::local {

struct Outcome {
  bool correct = false;             ///< every destination ends with what it must have
  std::uint64_t transmissions = 0;  ///< packets that moved over a link, with all translates
};

Outcome follow(const schedule::Plan& plan);

}  // namespace isotrope::local

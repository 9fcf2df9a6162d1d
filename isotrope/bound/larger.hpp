// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The larger of two bounds of a kind.
#pragma once

#include <utility>

#include "isotrope/schedule/bound.hpp"

namespace isotrope::bound {

/// Replaces `best` by a larger bound; of equal ones the first stays.
inline void raise(schedule::Bound& best, schedule::Bound other) {
  if (other.value > best.value) best = std::move(other);
}

}  // namespace isotrope::bound

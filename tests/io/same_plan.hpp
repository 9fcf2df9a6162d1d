// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Equality of plans, networks compared by group and generators.
#pragma once

#include "isotrope/schedule/plan.hpp"

namespace isotrope::io {

inline bool same_plan(const schedule::Plan& a, const schedule::Plan& b) {
  return a.network.name() == b.network.name() && same_network(a.network, b.network) && a.failed == b.failed &&
         a.task == b.task && a.schedule == b.schedule && a.bound == b.bound && a.claims == b.claims &&
         a.window == b.window && a.chains == b.chains && a.shares == b.shares &&
         a.aggregation == b.aggregation && a.overlay.has_value() == b.overlay.has_value() &&
         (!a.overlay || same_network(*a.overlay, *b.overlay));
}

}  // namespace isotrope::io

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The definition of a valid plan, written down as slowly and plainly as possible: every translate of every
// packet is followed on every node in sets. The checker is held against it.
#pragma once

#include "isotrope/schedule/plan.hpp"

namespace isotrope::verify {

/// Whether `plan` is valid by definition. Packets, nodes and ports of its hops may be out of range.
bool valid_by_definition(const schedule::Plan& plan);

}  // namespace isotrope::verify

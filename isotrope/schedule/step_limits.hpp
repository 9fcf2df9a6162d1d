// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The limits of a step, the rounds between two barriers, of a schedule in packed steps.
#pragma once

#include <cstdint>

namespace isotrope::schedule {

struct StepLimits {
  std::uint32_t sends = 1;  ///< packets of its own that a node sends in a step, at most
  std::uint32_t load = 1;   ///< packets on a directed link in a step, at most

  bool operator==(const StepLimits&) const = default;
};

}  // namespace isotrope::schedule

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Measurements: plans of the catalogue, each verified before it counts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isotrope/planner/plan.hpp"

namespace isotrope::reproduce {

/// An algorithm on a hypercube.
struct Trial {
  std::string_view algorithm;
  std::uint32_t dimension = 1;
  schedule::PortModel ports = {};
  std::uint32_t packets = 1;      ///< per block
  std::uint64_t aggregation = 1;  ///< the aggregation limit
  std::string_view order = {};    ///< of the root; empty for the algorithm's default
};

struct Measured {
  schedule::Plan plan;
  verify::Report report;

  /// The loads of the rounds' busiest links, added up: the packets transferred in sequence.
  std::uint64_t transfer() const;
};

/// The plan for a problem and the checker's report. @throws Error if the plan is invalid, and as make_plan does.
Measured measure(const schedule::Problem& problem, const planner::Preferences& preferences = {});

/// The same for an algorithm, from node 0.
Measured measure(const Trial& trial);

/// The rounds of that plan.
std::uint64_t measured_rounds(const Trial& trial);

}  // namespace isotrope::reproduce

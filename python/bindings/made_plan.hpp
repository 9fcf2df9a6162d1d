// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan as Python holds it: with what is known of its making.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "isotrope/schedule/plan.hpp"

#include "python/bindings/nodes.hpp"

namespace isotrope::python {

/// Of a plan that was chosen for a size.
struct Forecast {
  std::uint64_t bytes = 0;    ///< as MPI counts them
  double predicted_s = 0;     ///< by the machine model
  double time_bound_s = 0;    ///< no round-synchronous schedule between neighbours takes less
  std::string in_words = {};  ///< planner::explain, if it was wanted
};

/// Nothing changes it once Python has it, so that arrays may look into its hops.
struct MadePlan {
  schedule::Plan plan;
  std::string algorithm = {};  ///< empty if the plan was read
  std::optional<Forecast> forecast = {};
  io::Coordinates coordinates = {};
};

/// Without const, which pybind11's holders do not have.
using PlanPointer = std::shared_ptr<MadePlan>;

/// A stage of a plan, which it keeps alive.
struct PlanStage {
  PlanPointer made;
  std::size_t index;

  const schedule::Stage& stage() const { return made->plan.schedule.stages[index]; }
};

}  // namespace isotrope::python

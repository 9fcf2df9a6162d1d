// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/plan.hpp"

namespace isotrope::schedule {

Problem problem_of(const Plan& plan) {
  return {.network = hop_network(plan),
          .failed = plan.failed,
          .task = plan.task,
          .ports = plan.schedule.ports,
          .aggregation = plan.schedule.round_kind == RoundKind::strict ? 1 : plan.aggregation};
}

}  // namespace isotrope::schedule

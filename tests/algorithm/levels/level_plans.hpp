// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans of schedules over an overlay, for the checker.
#pragma once

#include <string>
#include <utility>

#include "isotrope/network/split_axes.hpp"

#include "isotrope/schedule/plan.hpp"

#include "isotrope/algorithm/levels/overlay_rounds.hpp"
#include "isotrope/verify/verify.hpp"

namespace isotrope::algorithm {

/// @pre `network` is a torus by its ports
inline network::SplitTorus whole_torus(const network::Network& network) {
  return *network::split_torus(network, {});
}

/// With the claims that the schedule has by its form. @param root of a collective that has one
inline schedule::Plan plan_of(const network::Network& network, schedule::Collective collective,
                              OverlaidSchedule written, network::Node root = 0) {
  schedule::Plan plan{.network = network,
                      .failed = {},
                      .task = {.collective = collective, .root = root, .parts = written.parts},
                      .schedule = std::move(written.schedule),
                      .bound = {},
                      .claims = {}};
  plan.claims.rounds = plan.schedule.round_count();
  plan.claims.hops = plan.schedule.hop_count();
  plan.overlay = std::move(written.overlay);
  return plan;
}

/// Why a plan is not valid; empty if it is.
inline std::string first_fault(const schedule::Plan& plan) {
  const verify::Report report = verify::verify(plan);
  if (report.valid) return "";
  return report.violations.empty() ? "not valid" : report.violations.front().message;
}

}  // namespace isotrope::algorithm

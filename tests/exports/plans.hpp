// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The plans that every export is tried on: all that the catalogue makes for a small network, and some around
// failed links.
#pragma once

#include <string>
#include <vector>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::exports {

struct NamedPlan {
  std::string name;
  schedule::Plan plan;
};

/// For every algorithm, over all ports and over one, with 1 and 3 parts, single packets and aggregated, from
/// another root than 0. Algorithms for machines are left out.
std::vector<NamedPlan> plans_of_catalogue(const std::string& network);

/// One for every collective, without the links from node 0 over port 0 and from the last node over the last
/// port.
std::vector<NamedPlan> plans_around_failed_links(const std::string& network);

/// A plan of the planner's choice.
schedule::Plan chosen_plan(const std::string& network, schedule::Collective collective,
                           std::uint32_t parts = 1);

/// A broadcast of the last node of ring:4 over an overlay in which all nodes are neighbours: in one round.
schedule::Plan overlay_plan();

}  // namespace isotrope::exports

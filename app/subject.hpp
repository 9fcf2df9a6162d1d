// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The network, problem or plan (read or made) that options name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isotrope/network/rank_map.hpp"

#include "isotrope/schedule/plan.hpp"

#include "isotrope/io/network_file.hpp"

#include "isotrope/planner/plan.hpp"

#include "app/options.hpp"

namespace isotrope::app {

/// Whether the positional argument names a plan file rather than a network.
bool names_a_plan_file(const NetworkOptions& options);

/// The network of the nodes, named directly or by the machine file, with the failures of that file and of the options.
/// @throws Error if none is named.
network::NamedNetwork chosen_nodes(const NetworkOptions& options);

/// The network that is planned on, with its open axes: of a plan file, or of the places of the ranks in the nodes
/// (network/node_places.hpp).
network::NamedNetwork chosen_named_network(const NetworkOptions& options);

/// The network itself, for commands that need all of its symmetry.
/// @throws Error if it lacks links.
network::Network whole_network(network::NamedNetwork named);

/// The places of the ranks by the machine file, if it gives the network and a rank map.
std::optional<network::RankMap> ranks_of_machine_file(const NetworkOptions& options,
                                                      const network::NamedNetwork& nodes,
                                                      std::uint32_t ranks_per_node);

/// The coordinates of the nodes, if the options name a network file that has them; else none.
io::Coordinates chosen_coordinates(const NetworkOptions& options);

/// The link classes of the network file that the options name; else none.
std::vector<io::FileLinkClass> chosen_link_classes(const NetworkOptions& options);

/// What --failed-nodes, --failed-links and the machine file name, nodes and links of the network of the nodes, and the open
/// axes, all on the places of the ranks.
network::Failures chosen_failures(const NetworkOptions& options, const network::NamedNetwork& named);

/// `task` on the network without `failed`, with the ports and the limit of aggregation that the options name.
schedule::Problem problem_with(const ProblemOptions& options, network::Network network,
                               network::Failures failed, schedule::Task task);

/// The problem that the options name.
/// @throws Error if network or collective are missing or anything is out of range.
schedule::Problem chosen_problem(const ProblemOptions& options);

/// The same. A packet size (--packet) stands for the parts that blocks of --bytes are cut into, or, if it holds
/// several blocks of a scatter or gather, for an aggregation limit.
schedule::Problem chosen_problem(const PlanningOptions& options);

/// Sets what the options say of waiting and steps.
void apply_goals(const PlanningOptions& options, schedule::Problem& problem);

/// The preferences that the options name.
planner::Preferences chosen_preferences(const PlanningOptions& options);

/// The plan of the file. @pre names_a_plan_file(options).
/// @throws Error if options are given that the file fixes.
schedule::Plan chosen_plan_file(const ProblemOptions& options);

/// A plan, read from a file or made and not yet verified.
struct Subject {
  schedule::Plan plan;
  std::string algorithm;  ///< empty for a plan that was read
  double seconds = 0;     ///< planning or reading
  double verify_seconds = 0;
};
Subject chosen_plan(const PlanningOptions& options);

/// Verifies the plan, with progress, and takes the time. A plan that was made claims optimality if that is shown; one
/// that was read keeps its claims.
verify::Report verified(Subject& subject);

/// @throws Error naming the option if `number` is no node of the network.
void require_node(const std::string& option, std::uint64_t number, const network::Network& network);

/// Writes the plan to the file of -o, if one is given; an interrupt leaves no part of it.
void write_chosen_plan(const OutputOptions& options, const schedule::Plan& plan);

}  // namespace isotrope::app

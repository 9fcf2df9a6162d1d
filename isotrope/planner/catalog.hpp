// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The catalogue: every algorithm with its source, where it applies, and what it claims.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isotrope/network/failures.hpp"

#include "isotrope/schedule/delivery.hpp"
#include "isotrope/schedule/isotropic_task.hpp"
#include "isotrope/schedule/schedule.hpp"
#include "isotrope/schedule/task.hpp"

#include "isotrope/algorithm/trees/root_order.hpp"

namespace isotrope::planner {

using schedule::Network;

/// Merge any number of packets.
inline constexpr std::uint64_t unbounded = UINT64_MAX;

/// What a plan should be good at first. With delay, exchanges keep the rounds they would have and lower the
/// mean delay of their packets.
enum class Objective { completion, delay };

/// What is to be planned.
struct Request {
  Network network;
  schedule::Task task;
  schedule::PortModel ports = schedule::PortModel::all();
  std::string algorithm = {};  ///< a name of the catalogue, or empty for the best that applies
  /// Of scatter and gather along trees: the order of the root; empty for the algorithm's own.
  std::optional<algorithm::RootOrder> order = {};
  /// Of scatter and gather along trees: the most packets that may travel as one message; above 1 rounds
  /// combine.
  std::uint64_t merge = 1;
  std::vector<schedule::RelativeDestination> destinations = {};  ///< of the collective isotropic
  std::vector<schedule::Delivery> deliveries = {};               ///< of the collective task
  Objective objective = Objective::completion;
  network::Failures failed = {};  ///< what the plan must do without
};

struct Algorithm {
  std::string_view name;
  schedule::Collective collective;
  std::string_view networks;  ///< where it applies, in words
  std::string_view ports;     ///< under which port models, in words
  std::string_view source;    ///< paper and section
  std::string_view claim;     ///< rounds, and how they stand to the bound

  /// Why network or ports do not suit, or nothing where they do.
  std::optional<std::string> (*misfit)(const Request& request);
  /// The rounds of the schedule, where possible without making it. @pre as for the schedule.
  std::uint64_t (*rounds)(const Request& request);
  /// The schedule. @pre the collective is the algorithm's and there is no obstacle.
  schedule::Schedule (*schedule)(const Request& request);

  bool takes_order = false;  ///< whether the order of the root can be chosen
  bool merges = false;       ///< whether packets can be merged
  bool only_merges = false;  ///< whether it has no strict form
  bool least_delay = false;  ///< whether it serves the objective delay
  bool survives = false;     ///< whether it plans around failures
  bool splits = false;       ///< whether, merging all packets, it gains from as many parts as there are ports
  bool one_block = false;    ///< of allreduce: whether its block is the whole vector, not one of N
};

/// All algorithms.
std::span<const Algorithm> catalog();

/// Why `algorithm` cannot serve the request, or nothing where it can: options that it does not take, or its
/// misfit. The collective and the algorithm that the request names are not looked at.
std::optional<std::string> obstacle(const Algorithm& algorithm, const Request& request);

}  // namespace isotrope::planner

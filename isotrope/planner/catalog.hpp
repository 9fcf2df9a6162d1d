// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The catalogue: every algorithm with its source, where it applies, and what it claims.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isotrope/schedule/schedule.hpp"
#include "isotrope/schedule/task.hpp"

namespace isotrope::planner {

using schedule::Network;

/// What is to be planned.
struct Request {
  Network network;
  schedule::Task task;
  schedule::PortModel ports = schedule::PortModel::all();
  std::string algorithm = {};  ///< a name of the catalogue, or empty for the best that applies
};

struct Algorithm {
  std::string_view name;
  schedule::Collective collective;
  std::string_view networks;  ///< where it applies, in words
  std::string_view ports;     ///< under which port models, in words
  std::string_view source;    ///< paper and section
  std::string_view claim;     ///< rounds, and how they stand to the bound

  /// Why the algorithm cannot serve the request, or nothing where it can. Only network and ports are looked
  /// at.
  std::optional<std::string> (*obstacle)(const Request& request);
  /// The rounds of the schedule, known without making it. @pre as for the schedule.
  std::uint64_t (*rounds)(const Request& request);
  /// The schedule. @pre the collective is the algorithm's and there is no obstacle.
  schedule::Schedule (*schedule)(const Request& request);
};

/// All algorithms.
std::span<const Algorithm> catalog();

}  // namespace isotrope::planner

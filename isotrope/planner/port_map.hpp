// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The map of plans by port model: every collective of MPI on a network, over all ports, 2 ports, one port and half
// duplex, in 1, 4 and 16 parts and with aggregated messages. Barriers are asked for in one part only.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isotrope/schedule/plan.hpp"
#include "isotrope/schedule/problem.hpp"

namespace isotrope::planner {

using schedule::Network;
using schedule::Problem;

/// The networks of the map.
inline constexpr std::array map_networks{
    "hypercube:3",         "hypercube:4", "hypercube:6", "torus:4x4",  "torus:5x5", "torus:4x6x8",
    "torus:3x5x7",         "ring:8",      "ring:9",      "hexmesh:3",  "hexmesh:5", "twisted-torus:4x4x8",
    "circulant:29:1,5,12", "complete:8",  "complete:13", "complete:64"};

/// The columns of the map: parts, and 0 for aggregated messages.
inline constexpr std::array<std::uint32_t, 4> map_parts{1, 4, 16, 0};

/// The port models of the map on a network: all, 2 if it has more, one, half.
std::vector<schedule::PortModel> map_ports(const Network& network);

/// The problems of the map on a network: by collective, then by port model, then by parts.
std::vector<Problem> port_map(const Network& network);

/// What the planner makes of a problem of the map.
struct MapCell {
  std::string refusal;                 ///< why there is no plan, or empty
  std::optional<schedule::Plan> plan;  ///< verified
  std::uint64_t rounds = 0;
  std::uint64_t bound = 0;
  double seconds = 0;  ///< of planning

  bool optimal() const { return plan && rounds == bound; }
  /// At most one round or 5 % above the bound.
  bool near() const { return plan && (rounds <= bound + 1 || 20 * rounds <= 21 * bound); }
};

/// @throws Error if the checker refuses the plan.
MapCell planned_cell(const Problem& problem);

}  // namespace isotrope::planner

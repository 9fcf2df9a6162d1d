// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The facts of an architecture: its graph, and the rounds of collectives. Everything is measured, nothing typed in:
// paths by search (distances by arithmetic on whole networks), connectivity by maximum flows, rounds by verified plans.
//
// Message density, in messages per link while every node sends one to a random other node: N d / L, for N nodes, L
// links, mean distance d. If every node sends one to every other it is N - 1 times as much.
//
// Source: Chen, Shin, Kandlur 1990, Section V.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isotrope/graph/architecture.hpp"
#include "isotrope/graph/bisection.hpp"
#include "isotrope/graph/shortest_paths.hpp"
#include "isotrope/schedule/task.hpp"

namespace isotrope::reproduce {

/// Rounds of one collective, one packet a block, all ports.
struct CollectiveRounds {
  schedule::Collective collective;
  std::uint64_t rounds = 0;
  std::uint64_t bound = 0;  ///< no schedule takes fewer rounds; equal if the plan is optimal
};

struct ArchitectureFacts {
  std::string name;
  network::Node nodes = 0;
  std::uint64_t links = 0;
  std::uint32_t diameter = 0;
  double mean_distance = 0;
  double density = 0;                                   ///< for one message per node
  std::vector<network::Port> degrees = {};              ///< the different degrees, ascending
  std::optional<network::Port> connectivity = {};       ///< of nodes; nothing if the network is too large
  std::optional<std::uint64_t> link_connectivity = {};  ///< of links; nothing if the network is too large
  std::optional<graph::ShortestPaths> paths = {};       ///< nothing if the network is too large, or one node
  std::optional<graph::Bisection> bisection = {};       ///< nothing if the network is too large
  std::vector<CollectiveRounds> rounds = {};            ///< empty unless requested
};

/// The measured collectives: broadcast, scatter, allgather and alltoall; the others are these run backwards or one
/// after the other.
std::vector<schedule::Collective> measured_collectives();

/// The facts, without the rounds.
ArchitectureFacts facts_of(const graph::Architecture& architecture);

/// The rounds of one collective.
/// @throws Error if the network is too large for the plan.
CollectiveRounds rounds_of(const graph::Architecture& architecture, schedule::Collective collective);

}  // namespace isotrope::reproduce

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What an architecture is worth: its graph, and how many rounds collectives take on it. Everything is
// measured, nothing typed in: distances by search (or by arithmetic on whole networks), connectivity by
// maximum flows, rounds by plans that are verified.
//
// Message density, in messages a link while every node sends one to another node chosen at random: N d / L,
// for N nodes, L links, mean distance d. When every node sends one to every other it is N - 1 times as much.
//
// Source: Chen, Shin, Kandlur 1990, Section V.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isotrope/graph/architecture.hpp"
#include "isotrope/graph/bisection.hpp"
#include "isotrope/schedule/task.hpp"

namespace isotrope::reproduce {

/// Rounds of one collective, one packet a block, all ports.
struct CollectiveRounds {
  schedule::Collective collective;
  std::uint64_t rounds = 0;
  std::uint64_t bound = 0;  ///< no schedule takes fewer rounds; equal where the plan is optimal
};

struct ArchitectureFacts {
  std::string name;
  network::Node nodes = 0;
  std::uint64_t links = 0;
  std::uint32_t diameter = 0;
  double mean_distance = 0;
  double density = 0;                              ///< one message a node
  std::vector<network::Port> degrees = {};         ///< that occur, ascending
  std::optional<network::Port> connectivity = {};  ///< nothing where the network is too large to compute it
  std::optional<graph::Bisection> bisection = {};  ///< likewise
  std::vector<CollectiveRounds> rounds = {};       ///< empty where not asked for
};

/// The collectives that are measured: broadcast, scatter, allgather and alltoall; the others are these run
/// backwards or one after the other.
std::vector<schedule::Collective> measured_collectives();

/// The facts, without the rounds.
ArchitectureFacts facts_of(const graph::Architecture& architecture);

/// The rounds of one collective.
/// @throws Error where the network is too large for the plan.
CollectiveRounds rounds_of(const graph::Architecture& architecture, schedule::Collective collective);

}  // namespace isotrope::reproduce

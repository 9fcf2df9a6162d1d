// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan: a schedule with all that a check needs: network, task, the bound for comparison, and claims.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isotrope/schedule/bound.hpp"
#include "isotrope/schedule/problem.hpp"
#include "isotrope/schedule/schedule.hpp"
#include "isotrope/schedule/task.hpp"

namespace isotrope::schedule {

using network::Link;

struct Claims {
  std::uint64_t rounds = 0;
  std::uint64_t hops = 0;  ///< hops listed, before replication
  /// Whether the schedule is valid and its rounds equal a lower bound; nothing if the plan does not say.
  std::optional<bool> optimal = {};
  std::vector<std::uint64_t>
      link_load;  ///< aggregated rounds only: the most packets on one link, a round each

  bool operator==(const Claims&) const = default;
};

/// A plan has no more chains: with MPI each takes tags of its own.
inline constexpr std::uint32_t most_chains = 32;

struct Plan {
  Network network;
  Failures failed;
  Task task;
  Schedule schedule;
  Bound bound;  ///< an empty kind: the plan states no bound
  Claims claims;
  /// Of aggregated rounds: the most packets that one message may carry.
  std::uint64_t aggregation = unbounded;
  /// How many messages the root of a pipelined execution has under way on one link; 1: rounds are executed one
  /// after the other.
  std::uint32_t window = 1;
  /// Of aggregated rounds: the parts of a block form so many chains of equally many parts, those of the first chain first. Parts
  /// of different chains share no message, and a node goes through the rounds of each chain by itself. 1: all are together.
  std::uint32_t chains = 1;
  /// Of aggregated rounds: every block, or the vector of an allreduce, forms shares of these weights, and each goes through all
  /// rounds by itself. Empty: all is together.
  std::vector<std::uint32_t> shares = {};
  /// The network over whose ports hops go if messages go to nodes that are no neighbours and the machine
  /// routes them, round the links that `failed` lists too. Node numbers are those of `network`.
  std::optional<Network> overlay = {};
};

/// The chain of a part. @pre chains divides the parts
inline std::uint32_t chain_of(std::uint32_t part, std::uint32_t parts, std::uint32_t chains) {
  return part / (parts / chains);
}

/// The network over whose ports the hops of `plan` go.
inline const Network& hop_network(const Plan& plan) {
  return plan.overlay ? *plan.overlay : plan.network;
}

/// What the network over whose ports the hops go lacks: failed nodes alone, if the machine routes messages round missing links.
inline network::Failures hop_failures(const Plan& plan) {
  return plan.overlay ? network::Failures(plan.failed.nodes, {}) : plan.failed;
}

/// The problem that `plan` solves, on the network over whose ports its hops go. Port model, aggregation limit, waiting and
/// limits of steps are those of its schedule.
inline Problem problem_of(const Plan& plan) {
  return {.network = hop_network(plan),
          .failed = hop_failures(plan),
          .task = plan.task,
          .ports = plan.schedule.ports,
          .aggregation = plan.schedule.round_kind == RoundKind::strict ? 1 : plan.aggregation,
          .waiting = plan.schedule.waiting,
          .step_limits = plan.schedule.step_limits};
}

}  // namespace isotrope::schedule

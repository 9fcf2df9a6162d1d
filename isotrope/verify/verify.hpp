// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The independent checker: is a plan valid, and are its claims true? The checker works on the plan alone and knows
// no algorithm.
//
// Valid means: every hop's sender holds the packet at the start of the round; in strict rounds no directed
// link carries two packets; no node exceeds the port model; nothing touches a failed node or link; when a
// stage is over, every packet is at its destination, and sums contain every node's contribution exactly once; the
// packets are those of the collective; waiting, barriers and steps are as the plan says. docs/plan-file.md says it in full.
//
// Method: replicated stages are checked in the quotient by their translations, one class of nodes a coset: a
// hop stands for all its translates, so links, ports and holdings need one entry per class. Rooted stages have
// N classes and are checked by the same code. Cost: O(listed hops); memory O(listed packets) for moved
// packets, one bit a packet and node for copied or combined ones. `expand` writes a replicated plan out in
// full, for comparison on small networks.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::verify {

using schedule::Node;
using schedule::PacketId;
using schedule::Plan;
using schedule::Port;

enum class Rule {
  structure,     ///< the stages do not fit the collective, the network or each other
  range,         ///< a packet, node or port outside its range
  failed,        ///< a hop touches a failed node or link
  holding,       ///< the sender does not hold the packet at the start of the round
  link,          ///< two packets on one directed link in a strict round, or more than the aggregation limit
  ports,         ///< a node exceeds the port model
  delivery,      ///< a destination lacks a packet when its stage is over
  contribution,  ///< a sum lacks a contribution, or contains one twice
  waiting,       ///< a packet waits on its way in a plan without waiting
  barrier,       ///< a packet is on its way at a barrier
  step,          ///< a step exceeds its limits
  claim          ///< a claimed number is not the measured one
};

struct Violation {
  Rule rule;
  std::string message;  ///< a line with stage, round, node, port and packet if they apply
  std::uint32_t stage = 0;
  std::optional<std::uint64_t> round = {};
  std::optional<Node> node = {};
  std::optional<Port> port = {};
  std::optional<PacketId> packet = {};
};

/// The result of a check. Counts are measured from the hops, never taken from the plan's claims.
struct Report {
  bool valid = false;                 ///< no violation of any rule but `claim`
  bool claims_hold = false;           ///< the plan's bound and claims are what the checker finds
  bool optimal = false;               ///< valid, and the rounds equal the bound as the checker recomputes it
  std::vector<Violation> violations;  ///< the first ones, at most Options::most_violations
  std::uint64_t violation_count = 0;

  std::uint64_t rounds = 0;
  std::uint64_t hops = 0;           ///< listed
  std::uint64_t transmissions = 0;  ///< including those of all translates
  schedule::Bound bound;            ///< the largest lower bound known for the task

  std::vector<std::uint64_t> links_used;  ///< directed links in use, a round each (all nodes together)
  std::vector<std::uint64_t> link_load;   ///< the most packets on one directed link, a round each
  /// Of a plan with barriers or limits of steps, a step each: the most packets of its own that a node sends, and the most
  /// packets on one directed link.
  std::vector<std::uint64_t> step_sends, step_load;
  /// Packets over the busiest directed link in any one stage; not counted if links outnumber hops by far.
  std::optional<std::uint64_t> busiest_link;
  /// Of the last stage, in rounds from its start: until packet p is wholly delivered. 0 if it needs no hop.
  std::vector<std::uint32_t> delay;
  double mean_delay = 0;  ///< of the last stage: over its deliveries that need a hop
};

struct Options {
  std::uint64_t most_violations = 20;         ///< listed in the report; all are counted
  std::function<void(double)> progress = {};  ///< called now and then with the share done, 0..1
};

/// Checks `plan`. Never throws for a bad plan; a plan is a value and so is the verdict.
Report verify(const Plan& plan, const Options& options = {});

/// The name of a rule: "link", "delivery", ...
std::string to_string(Rule rule);

/// The same plan with replication none: every translate of every hop and packet written out. For small networks.
/// @throws Error if more than 2^28 hops would be written.
Plan expand(const Plan& plan);

}  // namespace isotrope::verify

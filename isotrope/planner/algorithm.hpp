// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// An algorithm of the catalogue: one way to solve problems of one collective.
//
//     traits()                what it is, and which forms it has
//     unsupported_reason(p)   why it cannot solve p, or nothing
//     choices(p)              the parameters that are worth a try
//     rounds(p, c)            the rounds of its schedule, without the schedule if a formula is known
//     schedule(p, c)          the schedule
//
// Contract. rounds() must not fall if parts rise, unless a search finds them, equals schedule().round_count(), and is no_rounds if a search
// finds no schedule. The planner takes the first of several equal algorithms, so a later one loses ties.
// A name in `reversed` needs a schedule that brings every packet to a node once (schedule::reverse).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isotrope/schedule/problem.hpp"
#include "isotrope/schedule/schedule.hpp"

#include "isotrope/cost/cut_through.hpp"
#include "isotrope/cost/round_load.hpp"

#include "isotrope/algorithm/allreduce/middle_out_cut.hpp"
#include "isotrope/algorithm/levels/level_shape.hpp"
#include "isotrope/algorithm/trees/root_order.hpp"

namespace isotrope::schedule {
struct OverlayMessages;
}

namespace isotrope::planner {

using schedule::Collective;
using schedule::Network;
using schedule::Problem;
using schedule::unbounded;

/// The rounds of an algorithm whose search finds no schedule.
inline constexpr std::uint64_t no_rounds = UINT64_MAX;

/// The choices of a plan beside the problem's parts and aggregation limit.
struct Parameters {
  /// The order of the root, in a scatter or gather along a tree; nothing: the algorithm's own.
  std::optional<algorithm::RootOrder> order = {};
  /// Binary digits of node numbers per round, in a radix exchange: its radix is 2^digits. 0: no radix.
  std::uint32_t digits = 0;
  /// Of a plan by levels or by copies that share the vector; nothing: no choice.
  std::optional<algorithm::LevelShape> levels = {};
  /// Messages of the root on a link at once. Above 1: pipelined execution (cost/pipelined.hpp).
  std::uint32_t window = 1;
  /// Chains that go through their rounds by themselves (schedule/plan.hpp): 1, or Algorithm::chains.
  std::uint32_t chains = 1;
  /// The weights of shares that do (schedule/plan.hpp); empty: all is together.
  std::vector<std::uint32_t> shares = {};
  /// Of messages over an overlay.
  schedule::SendOrder send_order = {};
  /// The rounds of a hop by which a broadcast along several trees begins to send packets along several of them at once
  /// (algorithm/broadcast/disjoint_trees_broadcast.hpp); 0: it never does.
  std::uint32_t hop_rounds = 1;
  /// Of a search (Traits::searched): its seed, at least 1, and its time limit in seconds; 0: a limit of work, with
  /// which the same search always ends alike.
  std::uint32_t seed = 1;
  double seconds = 0;
  /// Of a search: a few milliseconds of work only, as in a choice by size.
  bool brief = false;
  /// Of the balls around hubs, in an allreduce over hubs; 0: it has none.
  std::uint32_t radius = 0;
  /// How the axes are cut, in a middle-out allreduce.
  algorithm::MiddleOutCut cut = {};

  bool operator==(const Parameters&) const = default;
};

/// An algorithm that the catalogue derives from another one.
struct Derived {
  std::string name;        ///< empty: nothing is derived
  std::string claim = {};  ///< empty: the claim of the original
  std::vector<std::string> aliases = {};
};

struct Traits {
  std::string name;  ///< unique among the algorithms of its collective, as are the aliases
  Collective collective = Collective::alltoall;
  std::string networks;  ///< supported networks, in words
  std::string ports;     ///< supported port models, in words
  std::string source;    ///< paper and section
  std::string claim;     ///< rounds, and their distance from the bound

  bool takes_order = false;      ///< the order of the root can be chosen
  bool strict = true;            ///< has a form of single packets
  bool aggregates = false;       ///< has a form of aggregated messages
  bool least_delay = false;      ///< serves the objective delay
  bool no_wait = false;          ///< its packets never wait on their way
  bool packs = false;            ///< its packets are packed in steps, with a barrier behind each
  bool around_failures = false;  ///< plans around failures
  /// Its messages need all nodes but not all links: the machine routes them.
  bool around_links = false;
  bool around_nodes = false;  ///< of those: it plans among the nodes that have not failed
  bool splits = false;        ///< unbounded messages gain from as many parts as a node has ports
  bool streams = false;       ///< unbounded messages gain from as many parts as a pipeline
  /// An allreduce whose block is the whole vector, not one block per node.
  bool whole_vector = false;
  /// A strict schedule over all ports may be pipelined: every node passes on the packets of each tree in order,
  /// and the root sends over every port in every round.
  bool pipelines = false;
  /// Chosen only for a size on a machine, since rounds do not compare.
  bool for_machines = false;
  /// Sends messages to nodes that are no neighbours, over an overlay, on a cut-through machine.
  bool overlay = false;
  /// Its messages to other nodes are priced with those of all ranks of a node, which share the links.
  bool counts_lanes = false;
  /// Schedules are found by a search, so rounds take as long as the schedule and may fall where parts rise.
  bool searched = false;
  /// Of those: few constructions, which are quick on networks of any size.
  bool single_pass = false;
  /// Lists the hops of every part, so that unsupported_reason limits the parts.
  bool limits_parts = false;
  /// An allgather from which no reduction is derived: its nodes would add in different orders.
  bool gathers_only = false;
  /// Aims at the fewest rounds, whatever messages carry.
  bool least_rounds = false;
  /// A plan file of the user (plan_folder.hpp).
  bool from_file = false;

  std::vector<std::string> aliases = {};  ///< other names under which papers and users know it

  Derived reversed = {};               ///< the reversal: broadcast to reduce, scatter to gather, and so on
  Derived reversed_then_forward = {};  ///< the reversal and then the algorithm: allreduce from allgather
  Derived barrier = {};                ///< the same of a broadcast of empty packets
  /// Among one rank of each node: a broadcast, an allreduce or barrier that exchanges sums, or the barrier of an allgather.
  Derived by_leaders = {};
  /// Among all ranks of the same number, a stripe of the vector each: an allreduce that exchanges sums.
  Derived by_stripes = {};
};

class Algorithm {
 public:
  explicit Algorithm(Traits traits) : traits_(std::move(traits)) {}
  Algorithm(const Algorithm&) = delete;
  Algorithm& operator=(const Algorithm&) = delete;
  virtual ~Algorithm() = default;

  const Traits& traits() const { return traits_; }
  const std::string& name() const { return traits_.name; }
  /// Whether `name` is the name or an alias.
  bool is_called(std::string_view name) const {
    return name == traits_.name || std::ranges::find(traits_.aliases, name) != traits_.aliases.end();
  }

  /// Why network, ports or aggregation limit do not suit, or nothing. The collective is not looked at; the
  /// traits that unsupported_reason(algorithm, problem, preferences) checks are not either.
  virtual std::optional<std::string> unsupported_reason(const Problem& problem) const = 0;
  /// Whether its rounds are counted in milliseconds, so that it takes part in a choice in which nobody names it.
  virtual bool is_quick(const Problem& /*problem*/) const { return true; }
  /// Whether it is a candidate for `bytes` bytes, as MPI counts them, in a choice by size.
  virtual bool serves(std::uint64_t /*bytes*/) const { return true; }
  /// The parameters that are worth a try, in order; at least one. @pre the problem is supported, as below.
  virtual std::vector<Parameters> choices(const Problem& /*problem*/) const { return {Parameters{}}; }
  virtual std::uint64_t rounds(const Problem& problem, const Parameters& parameters) const {
    return schedule(problem, parameters).round_count();
  }
  virtual schedule::Schedule schedule(const Problem& problem, const Parameters& parameters) const = 0;

  /// The parts of a block, if the algorithm cuts blocks itself; 0: any number, that of the problem.
  virtual std::uint32_t fixed_parts(const Problem& /*problem*/, const Parameters& /*parameters*/) const {
    return 0;
  }
  /// The copies of an overlay's plan that share the block, each with equally many of its parts, those of the first copy first.
  virtual std::uint32_t chains(const Problem& /*problem*/, const Parameters& /*parameters*/) const {
    return 1;
  }
  /// Of an allreduce: whether all nodes add up in the same order, or in one that rounds alike, so that they end with the
  /// same bits, as MPI requires (MPI 3.1, Section 5.9.6). So they do if every result is made at one node and copied from
  /// there, as by a reduce-scatter and an allgather, or in a stage that reduces and then copies. Others are planned if
  /// they are named, or if the operation gives the same bits in any order (Preferences::associative).
  virtual bool adds_alike(const Problem& /*problem*/, const Parameters& /*parameters*/) const { return true; }
  /// The loads of the schedule's rounds, known without the schedule; empty: the schedule tells.
  virtual std::vector<cost::RoundLoad> loads(const Problem& /*problem*/,
                                             const Parameters& /*parameters*/) const {
    return {};
  }

  /// The network over whose ports hops go; nothing: the problem's. Nodes keep their numbers.
  virtual std::optional<Network> overlay(const Problem& /*problem*/, const Parameters& /*parameters*/) const {
    return std::nullopt;
  }
  /// Whether messages go to nodes that are no neighbours, over the overlay.
  virtual bool sends_far(const Problem& problem, const Parameters& parameters) const {
    return traits_.overlay || overlay(problem, parameters).has_value();
  }
  /// The rounds by which a cut-through machine prices an overlay, a block being a part; empty without one.
  virtual std::vector<cost::CutThroughRound> cut_through_rounds(const Problem& /*problem*/,
                                                                const Parameters& /*parameters*/) const {
    return {};
  }
  /// What nodes send over the overlay, if that is known without the schedule; else null. Parameters::chains divides its shares.
  virtual std::shared_ptr<const schedule::OverlayMessages> overlay_messages(
      const Problem& /*problem*/, const Parameters& /*parameters*/) const {
    return nullptr;
  }
  /// The number of blocks that every node reduces locally, after or beside its messages.
  virtual std::uint64_t local_reductions(const Problem& /*problem*/, const Parameters& /*parameters*/) const {
    return 0;
  }

 private:
  Traits traits_;
};

}  // namespace isotrope::planner

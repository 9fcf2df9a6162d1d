// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The choice by size: which algorithm, in how many segments, for so many bytes on a machine. `isotrope plan`, the
// Communicator and the drop-in get the same plan from here.
//
// Bytes are MPI's count times the size of the type: of broadcast, reduce and allreduce the whole vector, of all
// others one block.
//
// Candidates are all algorithms of the catalogue that support the problem, with single packets and with unbounded
// messages, each with its best parameters and number of segments (segment_search.hpp). The candidate with the least
// predicted time is chosen; of several, a plan file of the user, else the one with the fewest rounds of one segment.
//
//     broadcast of 64 KiB on torus:32x32       disjoint-trees-broadcast    21 segments          87.9 us
//     tau 2 us, t_c 0.1 ns, all ports          layered-tree-broadcast      10 segments         108.9 us
//
// Lower bound. The time of every round-synchronous schedule is a sum of two parts, each with a bound of its own:
//
//     rounds * (overheads + tau)        at least R of them, the bound on aggregated rounds
//     bytes of the busiest links * t_c  at least W (bound/bandwidth.hpp)
//
// so no schedule takes less than R (overheads + tau) + W t_c. No schedule may reach both at once; what a broadcast or reduce
// takes more, and what holds for unlike links, is said in time_bound.hpp.
//
// Method: a candidate that cannot become the fastest, by these bounds and by the rounds of one segment, is worked out
// only if all are wanted; else its seconds are a lower bound. Cost: a few counts of rounds for the candidates that
// could win, a schedule for each that aggregates.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/cost/machine.hpp"
#include "isotrope/cost/prediction.hpp"

#include "isotrope/planner/catalog.hpp"

namespace isotrope::planner {

using cost::Prediction;

/// Fields of a problem that the planner must not change.
struct Fixed {
  bool parts = false;        ///< the task's parts
  bool aggregation = false;  ///< the aggregation limit

  bool operator==(const Fixed&) const = default;
};

/// Whether only the winner has to be worked out, or all candidates, to be shown.
enum class Detail { winner, all };

/// An algorithm with its parameters and its predicted time.
struct Candidate {
  const Algorithm* algorithm = nullptr;
  Problem problem;  ///< as given, with parts and aggregation limit filled in
  Parameters parameters = {};
  std::uint64_t block_bytes = 0;  ///< of the plan's blocks
  Prediction prediction = {};
  bool at_least = false;  ///< the candidate cannot win; only its seconds count, a lower bound

  /// The algorithm with its radix, and ", aggregated" for unbounded messages.
  std::string name() const;
  /// Whether messages go to nodes that are no neighbours.
  bool over_overlay() const;
};

/// No round-synchronous schedule between neighbours takes fewer seconds.
struct TimeBound {
  std::uint64_t rounds = 0;  ///< R
  std::string rounds_because;
  bool knows_bytes = false;  ///< whether a bound on the bytes is known
  double bytes = 0;          ///< W
  std::string bytes_because;
  double message_s = 0;    ///< overheads + tau, of the links with the least tau
  double byte_time_s = 0;  ///< t_c of the bytes of W
  double chain_s = 0;      ///< the chain bound, if links are of several classes (chain_bound.hpp)
  /// Of broadcast and reduce: the filling bound, also for messages of several packets (filling_bound.hpp); 0 on cut-through
  /// machines, where broadcasts may be pipelined.
  double filling_s = 0;
  bool overlaps = false;  ///< bytes may be on links while others start up: the longer counts
  double nodes_s = 0;  ///< the bound of the network of the nodes, if the machine has several places in each
  double seconds = 0;  ///< the largest of these
  /// Of broadcast and reduce: no schedule in strict rounds of equal segments takes less; at least `seconds`. 0: unknown.
  double segmented_s = 0;
};

struct Choice {
  Problem problem;                ///< as given
  std::uint64_t bytes = 0;        ///< as given; 0 of a barrier, whose packets are empty
  std::uint64_t block_bytes = 0;  ///< of a block; of allreduce, of a node's share of the vector
  cost::Machine machine;
  std::vector<Candidate> candidates;  ///< the fastest first; at least one, and the first is the choice
  TimeBound bound;

  const Candidate& best() const { return candidates.front(); }
};

/// The choice for `bytes`, 1..cost::most_block_bytes / N, as MPI counts them. What `preferences` and `fixed` name is
/// kept. With Detail::all also the candidates that cannot win are worked out.
/// @throws Error if machine or size are out of range or nothing applies; the message says what would.
Choice choose_for(const Problem& problem, std::uint64_t bytes, const cost::Machine& machine,
                  const Preferences& preferences = {}, Fixed fixed = {}, Detail detail = Detail::winner);

/// The time bound of choose_for() alone: no round-synchronous schedule between neighbours takes less.
/// @throws Error if machine or size are out of range.
TimeBound time_bound_for(const Problem& problem, std::uint64_t bytes, const cost::Machine& machine);

/// The plan of a candidate, with its bound; not yet claimed optimal. @pre !candidate.at_least.
schedule::Plan make_plan(const Candidate& candidate);

/// The choice in words: candidates as a table, what the time of the winner is made of, and how far it is from
/// the lower bound.
std::string explain(const Choice& choice);

}  // namespace isotrope::planner

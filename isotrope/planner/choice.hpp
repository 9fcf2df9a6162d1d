// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The choice by size: which algorithm, in how many packets, for blocks of so many bytes on a machine.
//
// Candidates are all algorithms of the catalogue that apply, with single packets and with all packets merged,
// each with the number of packets that suits it best (prediction.hpp); on cut-through machines also direct
// sends (direct_sends.hpp). The one with the least predicted time is chosen; of several, one that takes one
// packet in the fewest rounds. Times are those of rounds in lock step (simulate/round_time.hpp).
//
//     broadcast of 64 KiB on torus:32x32       disjoint-trees-broadcast    21 packets           87.9 us
//     tau 2 us, t_c 0.1 ns, all ports          layered-tree-broadcast      10 packets          108.9 us
//
// Lower bound. In lock step the time of every schedule is a sum of two parts, and each has a bound of its
// own:
//
//     rounds * (overheads + tau)        at least R of them, the bound on combining rounds
//     bytes of the busiest links * t_c  at least W (schedule/bandwidth_bound.hpp)
//
// so no schedule takes less than R (overheads + tau) + W t_c. That both parts are least at once is not claimed.
//
// Method: a candidate whose time cannot become least, by these bounds and by the rounds of one packet, is not
// worked out any further, unless all are wanted; its seconds are then a lower bound, and it says so. Cost: a
// few counts of rounds for those that could win, a schedule for each that merges.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/cost/machine.hpp"

#include "isotrope/planner/catalog.hpp"
#include "isotrope/planner/prediction.hpp"

namespace isotrope::planner {

/// What of a request is not to be chosen, beside its algorithm and order where it names them.
struct Fixed {
  bool parts = false;  ///< the task's parts stay as they are
  bool merge = false;  ///< so does the number of packets that travel as one message

  bool operator==(const Fixed&) const = default;
};

/// Whether only the winner has to be worked out, or all candidates, to be shown.
enum class Detail { winner, all };

struct Candidate {
  std::string name;  ///< the algorithm's, with ", merged" where it merges any number of packets
  /// What make_plan is to be asked for: algorithm, parts and merging filled in; of direct sends, what was
  /// asked.
  Request request;
  bool direct = false;  ///< whether it sends over the complete network, which a cut-through machine lays over
  /// Of the plan's blocks: as asked, or where an allreduce knows one block only, N times that.
  std::uint64_t block_bytes = 0;
  Prediction prediction = {};
  bool at_least = false;  ///< it cannot win, and its prediction is a lower bound: seconds alone count
};

/// No schedule takes fewer seconds in lock step.
struct TimeBound {
  std::uint64_t rounds = 0;  ///< R
  std::string rounds_because;
  double bytes = 0;  ///< W
  std::string bytes_because;
  double seconds = 0;
};

struct Choice {
  Request request;                ///< as asked
  std::uint64_t block_bytes = 0;  ///< as asked; 0 in a barrier, whose packets are empty
  cost::Machine machine;
  std::vector<Candidate> candidates;  ///< the fastest first; at least one, and the first is the choice
  TimeBound bound;

  const Candidate& best() const { return candidates.front(); }
};

/// The choice for blocks of `block_bytes`, 1..cost::most_block_bytes / N; of an allreduce that is a
/// node's share of the result, and a plan that knows one block only takes all N shares for it. What
/// `request` names is kept: the algorithm, the order of the root, and what `fixed` says. With Detail::all
/// also the candidates that cannot win are worked out.
/// @throws Error where machine or size are out of range or nothing applies; the message says what would.
Choice choose_for(const Request& request, std::uint64_t block_bytes, const cost::Machine& machine,
                  Fixed fixed = {}, Detail detail = Detail::winner);

/// The plan of a candidate, with its bound; not yet claimed optimal. Direct sends are planned on complete:N,
/// whose nodes have the numbers of the network's. @pre !candidate.at_least.
schedule::Plan make_plan(const Candidate& candidate);

/// The choice in words: candidates as a table, what the time of the winner is made of, and how far it is from
/// the lower bound.
std::string explain(const Choice& choice);

}  // namespace isotrope::planner

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The lower bound on the time of round-synchronous schedules between neighbours (choice.hpp), for many sizes.
//
// On machines on which shares of the data may use links while others start up (cost/shares.hpp), rounds and bytes do not add up: a
// message follows another over the diameter, and a start-up comes before the bytes of the busiest links. The longer of the two
// counts, for any schedule of combined messages in shares too. Of a broadcast or a reduce they do add up: the last bytes that
// leave the root still have to go all the way.
//
// Links of several classes (cost/link_times.hpp). A round takes at least the least start-up of a link and the time of its
// bytes over the link that is busy longest, so the sum holds with the least start-up and with bytes that count by the times of
// their links: the bounds on rounds of a network whose links have whole rates that are not below their true ones
// (rate_slots.hpp). No schedule takes less than the chain bound either (chain_bound.hpp); the larger one counts.
//
// Several ranks a node (cost/node_places.hpp). The places of a node taken as one make a schedule on the network of the nodes, over the same links,
// of what all of them send and receive: its bound counts too.
//
// For broadcast and reduce, rounds and bytes also count together (filling_bound.hpp), but on cut-through machines, where
// pipelined execution is not round-synchronous. Proofs: docs/bounds.md.
//
// Cost: the bounds of a problem for three numbers of parts, once; then O(1) a size.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "isotrope/cost/link_times.hpp"
#include "isotrope/cost/machine.hpp"

#include "isotrope/planner/choice.hpp"
#include "isotrope/planner/filling_bound.hpp"

namespace isotrope::planner {

class TimeBounds {
 public:
  /// Parts and aggregation limit of the problem are not looked at. Copies the machine.
  /// @throws Error if the machine's link classes do not fit the network.
  TimeBounds(const Problem& problem, const cost::Machine& machine);

  /// Strict schedules of P parts need this times P rounds or more.
  double rounds_a_part() const { return rounds_a_part_; }
  /// The bound for `bytes` as MPI counts them.
  TimeBound at(std::uint64_t bytes) const;

 private:
  // How many blocks the busiest links of all rounds carry together, at least.
  struct LinkBlocks {
    double least = 0;
    std::string kind = {};  // of the bound; empty: none is known
  };
  static LinkBlocks growth_of_bounds(Problem problem);
  static LinkBlocks least_link_blocks(Problem problem);
  void weigh_by_rates(const Problem& problem);
  void bound_nodes(const Problem& problem);
  double segmented_s(double bytes) const;

  cost::Machine machine_;
  cost::LinkTimes times_;
  LinkBlocks blocks_;
  double rounds_a_part_;
  double byte_time_s_;            // of each of the bytes that blocks_ counts
  double message_s_;              // of an empty message over the link with the least start-up, with overheads
  double chain_s_ = 0;            // the chain bound, if links are unlike
  double shares_;                 // that an allreduce's vector has; of the others 1
  std::optional<RootedWay> way_;  // of broadcast and reduce
  std::optional<RootedWay> weighed_way_;  // over links of the rates by which bytes are counted
  TimeBound rounds_;                      // without what depends on the size
  std::shared_ptr<const TimeBounds>
      nodes_;              // of the network of the nodes, if there are several places in each
  double node_bytes_ = 1;  // a byte of the problem in theirs
  bool overlaps_ = false;  // bytes with start-ups
};

}  // namespace isotrope::planner

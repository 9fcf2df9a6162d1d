// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The time of round-synchronous execution: the cost of a round is the work of its busiest node, which prepares and
// receives messages, and the message of its most loaded link (Machine::round_time).
//
//     round                                     strict         aggregated
//     0 sends a and b over port 0, c over 1     not valid      messages 2, sent 3, packets 2, received 1
//     0 sends a over port 0, 1 sends b          1, 1, 1, 1     messages 1, sent 1, packets 1, received 1
//
// Where all nodes send over the same ports in the same order, messages arrive one after the other, as they were
// prepared, and are taken while others are on their way. Packets have equal sizes here; round_time() of any plan is an
// upper bound and does not count on it.
//
// Links of several classes: the message of every class counts with its own time, and the longest of them is the round's.
//
// Exact if the segments divide the block; otherwise the round of a shorter segment counts as one of a full one.
// Cost: O(1) a hop. Source: Ho and Johnsson 1986, Section 2.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/cost/link_times.hpp"
#include "isotrope/cost/machine.hpp"
#include "isotrope/cost/prediction.hpp"
#include "isotrope/cost/round_load.hpp"

namespace isotrope::cost {

/// The load of every round that has hops, stage after stage, and those of the classes of links.
/// @pre packets, nodes and ports of all hops exist; the times are those of the network.
std::vector<RoundLoad> round_loads(const network::Network& network, const schedule::Schedule& schedule,
                                   const LinkTimes& times);

/// The same for links that are alike.
std::vector<RoundLoad> round_loads(const network::Network& network, const schedule::Schedule& schedule);

class RoundSynchronous {
 public:
  /// Blocks of `block_bytes` in `segments` segments. The machine must outlive this.
  RoundSynchronous(std::uint64_t block_bytes, std::uint32_t segments, const Machine& machine);
  /// The same; the loads have classes of these times, which must outlive this too.
  RoundSynchronous(std::uint64_t block_bytes, std::uint32_t segments, const Machine& machine,
                   const LinkTimes& times);

  /// Adds `rounds` rounds of this load. Loads without classes are those of links with the machine's times.
  void add(const RoundLoad& load, std::uint64_t rounds);

  const Prediction& prediction() const { return prediction_; }

 private:
  const Machine& machine_;
  const LinkTimes* times_ = nullptr;  // of loads with classes
  Prediction prediction_;
};

}  // namespace isotrope::cost

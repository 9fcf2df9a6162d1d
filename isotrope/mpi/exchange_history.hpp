// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// How the ranks of a communicator carry out their next exchange of blocks of unequal sizes. All ranks must decide alike,
// although no rank knows the sizes of the others, and without a message. They decide from the last exchange that was forwarded:
// its messages told all ranks its extremes (forward/forwarder.hpp).
//
//     queued      forwarded, each rank choosing by its queues; before anything is known
//     balanced    forwarded by routes that all ranks balance (route_balancing.hpp): a sum over all ranks before the first byte
//     direct      a message per block, if messages to far nodes pass the nodes between them (cut-through): blocks that
//                 are all alike load the links evenly, and few short ones cost less than the messages of forwarding
//
// Only exchanges that the caller has waited for count, because all ranks know then that they are over. What was balanced in
// vain, or sent directly, is repeated 1, 2, 4, ... 64 times before the ranks look again.
//
// Cost: O(1).
#pragma once

#include <algorithm>
#include <cstdint>

#include "isotrope/cost/machine.hpp"

#include "isotrope/forward/forwarder.hpp"

namespace isotrope::mpi {

/// Calls that pass between two looks at something that does not change: 1, 2, 4, ... 64.
class Pauses {
 public:
  /// Whether this call passes without a look. Counts it.
  bool pass() {
    if (left_ == 0) return false;
    --left_;
    return true;
  }
  /// A look has found the same again.
  void lengthen() {
    left_ = next_;
    next_ = std::min(2 * next_, longest);
  }
  /// A look has found something else.
  void end() {
    left_ = 0;
    next_ = 1;
  }

 private:
  static constexpr std::uint32_t longest = 64;

  std::uint32_t left_ = 0, next_ = 1;
};

/// What the forecasts of an exchange need to know of a network; the same on all ranks.
struct ExchangeNetwork {
  std::uint32_t degree = 1;
  std::uint32_t diameter = 1;
  double mean_distance = 1;  ///< of two different nodes
};

class ExchangeHistory {
 public:
  /// Of the last exchange that was forwarded; of none, no bytes.
  const forward::ExchangeExtremes& last() const { return last_; }
  /// Takes what all ranks know of an exchange that was forwarded and is over.
  /// @param direct whether such an exchange is sent directly from now on
  void take(const forward::ExchangeExtremes& extremes, bool direct) {
    last_ = extremes;
    direct ? direct_.lengthen() : direct_.end();
  }
  /// Takes the rounds of an exchange that balanced its routes.
  void take_rounds(std::uint32_t rounds) { rounds == 0 ? queued_.lengthen() : queued_.end(); }

  /// Whether the next exchange is sent directly. Counts it then.
  bool sends_directly() { return direct_.pass(); }
  /// Whether the next exchange balances its routes, if it lasts long enough. Counts it.
  bool tries_to_balance() { return !queued_.pass(); }

 private:
  forward::ExchangeExtremes last_;
  Pauses direct_, queued_;
};

/// The seconds that an allgather along trees takes, by the model: a short message goes to the farthest node while a lane carries
/// its bytes, or the processor its messages.
/// @param block_bytes of a block, on average
/// @param lane_bytes of the busiest lane
double tree_seconds(double block_bytes, double lane_bytes, const ExchangeNetwork& network,
                    const cost::Machine& machine);

/// Whether an exchange with such extremes is faster if every block is sent directly, by the model.
bool is_faster_directly(const forward::ExchangeExtremes& extremes, const ExchangeNetwork& network,
                        const cost::Machine& machine);

}  // namespace isotrope::mpi

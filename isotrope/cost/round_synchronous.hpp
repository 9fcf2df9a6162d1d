// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The time of round-synchronous execution: a round costs what its busiest node prepares and receives, and the
// message of its most loaded link (Machine::round_time).
//
// Exact if the segments divide the block; otherwise the round of a shorter segment counts as one of a full one.
// Source: Ho and Johnsson 1986, Section 2.
#pragma once

#include <cstdint>

#include "isotrope/cost/machine.hpp"
#include "isotrope/cost/prediction.hpp"
#include "isotrope/cost/round_load.hpp"

namespace isotrope::cost {

class RoundSynchronous {
 public:
  /// Blocks of `block_bytes` in `segments` segments. The machine must outlive this.
  RoundSynchronous(std::uint64_t block_bytes, std::uint32_t segments, const Machine& machine);

  /// Adds `rounds` rounds of this load.
  void add(const RoundLoad& load, std::uint64_t rounds);

  const Prediction& prediction() const { return prediction_; }

 private:
  const Machine& machine_;
  Prediction prediction_;
};

}  // namespace isotrope::cost

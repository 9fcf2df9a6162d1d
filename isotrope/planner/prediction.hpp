// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// How long an algorithm of the catalogue takes on a machine, and into how many packets blocks are best cut.
//
// Rounds in lock step, as the papers count: a round costs the message of its most loaded link. Strict
// algorithms have rounds(P) of one packet each, known without a schedule; the rounds of merging algorithms
// are counted from their schedule, with any number of packets a message. The best P lies near the optimum
// of the pipeline (pipeline_cost.hpp) that two counts of rounds determine, or fills the machine's internal
// packets, or is at most the degree; those candidates are compared exactly.
//
// Cost: a few counts of rounds, or for merging algorithms one schedule.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "isotrope/simulate/machine.hpp"

#include "isotrope/planner/catalog.hpp"
#include "isotrope/planner/pipeline_cost.hpp"

namespace isotrope::planner {

struct Prediction {
  std::uint32_t packets = 1;  ///< that a block is cut into
  std::uint64_t packet_bytes = 0;
  std::uint64_t rounds = 0;
  double seconds = 0;
};

class Predictor {
 public:
  /// For `algorithm` and the network, task, ports, order and merging of `request`, its parts left out. The
  /// algorithm must outlive this. @pre the collective fits and there is no obstacle.
  Predictor(const Algorithm& algorithm, Request request);

  /// The rounds of `packets` packets a block as a line, from two counts; exact for the pipelines of trees.
  PipelineCost pipeline();
  /// Blocks of `block_bytes` cut into `packets` packets.
  Prediction with_packets(std::uint64_t block_bytes, std::uint32_t packets, const simulate::Machine& machine);
  /// The fastest number of packets, each of at least one byte; one where packets are merged.
  Prediction fastest(std::uint64_t block_bytes, const simulate::Machine& machine);

 private:
  using RoundsByLoad = std::map<std::uint64_t, std::uint64_t>;  // packets on the busiest link: rounds

  std::vector<std::uint64_t> candidates(std::uint64_t block_bytes, const simulate::Machine& machine);
  const RoundsByLoad& rounds(std::uint32_t packets);
  std::uint64_t round_count(std::uint32_t packets);

  const Algorithm& algorithm_;
  Request request_;
  std::map<std::uint32_t, RoundsByLoad> counted_;
};

}  // namespace isotrope::planner

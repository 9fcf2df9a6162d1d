// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// How long an algorithm of the catalogue takes on a machine, and into how many packets blocks are best cut.
//
// Rounds in lock step, as the papers count (simulate/round_time.hpp): a round costs what its busiest node
// prepares and the message of its most loaded link. Strict algorithms have rounds(P) of one packet each,
// known without a schedule. The rounds of merging algorithms, with any number of packets a message, are
// counted from their schedule; so are strict ones where messages keep processors busy and a node may send
// several at once.
//
// The best P lies near the optimum of the pipeline (pipeline_cost.hpp) that two counts of rounds determine,
// or fills the machine's internal packets, or is at most the degree; those candidates are compared exactly.
// Where all packets are merged, P is 1, or of algorithms that split, as many or twice as many as ports.
// Numbers of packets that cannot be best are passed over: rounds(P) never falls with P
// (prediction_test.cpp), and is at least P times what a bound says.
//
// Running ahead. On cut-through machines start-ups occupy no link, and a strict broadcast over all ports need
// not wait for rounds: w messages of the root are on a link at once, and others pass them on as they come
// (schedule/ramp.hpp). A tree of height h, over which S bytes go in packets of p, then takes about
//
//     h (o' + tau + c p t_c) + (S / p - 1) max(p t_c, o', (o' + tau + p t_c) / w)
//
// where o' are the overheads of a node with a packet of every tree, c = 1 for w = 2, and 3/2 for more, as
// packets share links further on then; 1/32 is added for what waits besides. In SimGrid, with links of 1 us
// and 1 GB/s, broadcasts of 2 KiB to 1 MiB on three hypercubes, torus:8x8 and hexmesh:3 took 4 percent less to
// 2 percent more than that (docs/performance.md). With w = 1 it is the time of lock step.
//
// Predictions are exact where the packets divide the block, else the round of a shorter packet is counted as
// one of a full packet. Cost: a few counts of rounds, or a schedule for each P.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "isotrope/cost/machine.hpp"
#include "isotrope/cost/pipeline_cost.hpp"
#include "isotrope/cost/round_load.hpp"

#include "isotrope/planner/catalog.hpp"

namespace isotrope::planner {

struct Prediction {
  std::uint32_t packets = 1;       ///< that a block is cut into
  std::uint64_t packet_bytes = 0;  ///< where it runs ahead, those of all but the first
  std::uint64_t rounds = 0;
  double seconds = 0;
  std::uint32_t in_flight = 1;  ///< messages over a link; above 1 the broadcast runs ahead of rounds

  // What the seconds are made of; where it runs ahead, start-ups are what is left beside the others.
  double overhead_s = 0;         ///< processors
  double startup_s = 0;          ///< start-ups; of direct sends also the links on their way
  double transfer_s = 0;         ///< bytes
  std::uint64_t link_bytes = 0;  ///< over the busiest link of every round, added up
};

class Predictor {
 public:
  /// For `algorithm` and the network, task, ports, order and merging of `request`, its parts left out. The
  /// algorithm must outlive this. Strict schedules of P parts are known to need `rounds_a_part` * P rounds or
  /// more. @pre the collective fits and there is no obstacle.
  Predictor(const Algorithm& algorithm, Request request, double rounds_a_part = 0);

  /// The rounds of `packets` packets a block as a line, from two counts; exact for the pipelines of trees.
  cost::PipelineCost pipeline();
  /// Blocks of `block_bytes` cut into `packets` packets.
  Prediction with_packets(std::uint64_t block_bytes, std::uint32_t packets, const cost::Machine& machine);
  /// The fastest number of packets, each of at least one byte. Where that takes `limit` seconds or more, any
  /// number of packets, or seconds of `limit` or more that none takes less than.
  struct Fastest {
    Prediction prediction;
    bool at_least = false;  ///< the seconds are but a lower bound, and the rest says nothing
  };
  Fastest fastest_below(double limit, std::uint64_t block_bytes, const cost::Machine& machine);
  /// The fastest number of packets, each of at least one byte.
  Prediction fastest(std::uint64_t block_bytes, const cost::Machine& machine) {
    return fastest_below(std::numeric_limits<double>::infinity(), block_bytes, machine).prediction;
  }
  /// Blocks of `block_bytes` cut into `packets` packets by a strict broadcast that runs ahead of rounds, with
  /// `in_flight` messages of the root on a link. @pre runs_ahead(machine).
  Prediction ahead(std::uint64_t block_bytes, std::uint32_t packets, std::uint32_t in_flight,
                   const cost::Machine& machine);
  /// Whether it may run ahead on the machine.
  bool runs_ahead(const cost::Machine& machine) const;
  /// The rounds of one packet a block.
  std::uint64_t least_rounds() { return round_count(1); }

 private:
  using RoundsByLoad = std::map<cost::RoundLoad, std::uint64_t>;
  class Search;

  Fastest fastest_in_lock_step(double limit, std::uint64_t block_bytes, const cost::Machine& machine);
  std::vector<std::uint32_t> ahead_candidates(std::uint64_t block_bytes, std::uint32_t in_flight,
                                              const cost::Machine& machine);
  Prediction fastest_ahead(std::uint64_t block_bytes, const cost::Machine& machine);
  bool merges() const { return request_.merge > 1; }
  bool needs_schedule(const cost::Machine& machine) const;
  std::vector<std::uint64_t> split_candidates() const;
  std::vector<std::uint64_t> pipeline_candidates(std::uint64_t block_bytes, const cost::Machine& machine);
  std::uint64_t fewest_rounds(std::uint64_t packets) const;
  const RoundsByLoad& loads(std::uint32_t packets);
  std::uint64_t round_count(std::uint32_t packets);

  const Algorithm& algorithm_;
  Request request_;
  double rounds_a_part_;
  std::map<std::uint32_t, std::uint64_t> counted_;       // rounds, by packets
  std::map<std::uint32_t, RoundsByLoad> from_schedule_;  // by packets
  std::uint64_t hops_of_one_part_ = 0;                   // where one was scheduled
};

}  // namespace isotrope::planner

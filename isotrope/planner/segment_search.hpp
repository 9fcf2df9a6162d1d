// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The time of an algorithm on a machine, and the best number of segments of its blocks.
//
// Strict algorithms have rounds(P) of one packet each, known without a schedule. The rounds of aggregated messages
// are counted from their schedule; so are strict rounds if messages keep processors busy and a node may send several
// at once. Broadcasts and reduces that pipeline are also timed with a window, on cut-through machines, all links with the times
// of the slowest.
//
// The best P lies near the optimum of the pipeline (cost/pipeline_cost.hpp) that two counts of rounds determine, or
// fills the machine's internal packets, or is at most the degree (of more than 8, some of them if each takes a
// schedule); those candidates are compared exactly. With unbounded messages P is 1, or, if the algorithm splits, as
// many or twice as many as ports, or, if packets follow each other in them, that of the pipeline. Numbers of segments
// that cannot be best are skipped: rounds(P) never falls with P (segment_search_test.cpp), and is at least P times the
// known bound. Of an algorithm that searches, one packet and few numbers near the optimum of the bound are tried, up to
// a limit of work.
//
// Links of several classes are counted from a schedule too, as not every round uses all classes.
//
// A pipeline that is full repeats itself: if the rounds of P, P + d and P + 2 d segments, d ports, differ by the same
// rounds, those of P + k d follow.
//
// Cost: a few counts of rounds, or of schedules.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "isotrope/cost/link_times.hpp"
#include "isotrope/cost/machine.hpp"
#include "isotrope/cost/pipelined.hpp"
#include "isotrope/cost/prediction.hpp"
#include "isotrope/cost/round_synchronous.hpp"

#include "isotrope/planner/algorithm.hpp"

namespace isotrope::planner {

using cost::Prediction;

/// Parameters::hop_rounds for pipelined execution with such a window: a hop takes as long as a window of messages over one link. In a
/// reduce no packet goes along several trees: it would begin at leaves of its own, and on the links behind them messages that were apart
/// would come together.
std::uint32_t pipelined_hop_rounds(Collective collective, std::uint32_t window);

class SegmentSearch {
 public:
  /// For `algorithm` and `problem`, whose parts are not looked at. The algorithm must outlive this. Strict schedules
  /// of P parts are known to need `rounds_a_part` * P rounds or more. @pre the problem is supported.
  SegmentSearch(const Algorithm& algorithm, Problem problem, const Parameters& parameters,
                double rounds_a_part = 0);

  /// Blocks of `block_bytes` cut into `segments` segments, or as many as the parameters fix.
  Prediction with_segments(std::uint64_t block_bytes, std::uint32_t segments, const cost::Machine& machine);

  struct Fastest {
    Prediction prediction;
    bool at_least = false;  ///< nothing beats the limit; the seconds are a lower bound, and alone count
  };
  /// The fastest number of segments, each of at least one byte. If no number takes less than `limit` seconds: any
  /// lower bound of at least `limit`, with at_least set.
  Fastest fastest_below(double limit, std::uint64_t block_bytes, const cost::Machine& machine);

  /// The rounds of `segments` segments as a line, from two counts; exact for the pipelines of trees. Of an
  /// algorithm that searches: from one count, and the known bound for each further packet.
  cost::PipelineCost pipeline();
  /// Whether pipelined execution is possible on the machine.
  bool pipelines(const cost::Machine& machine);
  /// Blocks of `block_bytes` in `segments` segments, pipelined with this window. @pre pipelines(machine).
  Prediction with_window(std::uint64_t block_bytes, std::uint32_t segments, std::uint32_t window,
                         const cost::Machine& machine);
  /// The rounds of one segment; of a single pass, which takes long on large networks, the known bound.
  std::uint64_t least_rounds();

 private:
  using RoundsByLoad = std::map<cost::RoundLoad, std::uint64_t>;
  class Best;

  // The times of the links on the machine for which schedules are counted.
  struct TimedLinks {
    cost::Machine machine;
    cost::LinkTimes times;
  };

  Fastest fastest_round_synchronous(double limit, std::uint64_t block_bytes, const cost::Machine& machine);
  Prediction fastest_pipelined(std::uint64_t block_bytes, const cost::Machine& machine);
  cost::PipelinedTrees pipelined_trees();
  cost::Machine with_slowest_links(const cost::Machine& machine);
  cost::PipelineCost line_through_rounds_of(std::uint32_t few);
  bool sends_one_vector() const;
  bool may_search(std::uint32_t segments);
  std::uint32_t most_supported(std::uint32_t segments);
  void add_last_of_rounds(std::uint64_t segments, std::vector<std::uint64_t>& result);
  bool needs_schedule(const cost::Machine& machine);
  const cost::LinkTimes& times(const cost::Machine& machine);
  std::vector<std::uint64_t> split_candidates(std::uint64_t block_bytes, const cost::Machine& machine);
  std::vector<std::uint64_t> pipeline_candidates(std::uint64_t block_bytes, const cost::Machine& machine);
  std::uint64_t fewest_rounds(std::uint64_t segments) const;
  const RoundsByLoad& loads(std::uint32_t segments);
  cost::RoundLoad with_classes(cost::RoundLoad load) const;
  static std::optional<RoundsByLoad> repeated(const RoundsByLoad& first, const RoundsByLoad& second,
                                              const RoundsByLoad& third, std::uint64_t periods);
  std::optional<RoundsByLoad> repeated_loads(std::uint32_t segments);
  std::uint64_t round_count(std::uint32_t segments);
  std::uint64_t pipelined_count(std::uint32_t segments);

  const Algorithm& algorithm_;
  Problem problem_;
  Parameters parameters_;
  double rounds_a_part_;
  std::uint32_t fixed_;                                  // segments, by the parameters; 0: any number
  std::map<std::uint32_t, std::uint64_t> counted_;       // rounds, by segments
  std::map<std::uint32_t, std::uint64_t> pipelined_;     // of pipelined execution, if they differ
  std::map<std::uint32_t, RoundsByLoad> from_schedule_;  // by segments
  std::optional<TimedLinks> timed_;
  std::uint64_t hops_of_one_part_ = 0;  // if a schedule of one part was made
  int repeats_from_ = 0;  // the first filling of pipelines after which rounds may repeat; 2: they do not
};

}  // namespace isotrope::planner

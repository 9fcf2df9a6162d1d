// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What choices by size count of schedules, kept for further sizes: on thousands of nodes a schedule takes longer than all else in a choice.
//
// Only results that the arguments alone determine are kept, those of algorithms of the catalogue; so a choice never depends on
// earlier ones, and processes with different pasts choose alike. Listed traffic is not kept, as comparing it takes as long as
// planning. The last ones of each algorithm are kept; several threads may ask at once.
//
// Cost of a known result: a comparison with those kept, and a copy.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "isotrope/cost/cut_through.hpp"
#include "isotrope/cost/round_load.hpp"
#include "isotrope/cost/routed_completion.hpp"

#include "isotrope/planner/algorithm.hpp"

namespace isotrope::planner {

struct ScheduleCounts {
  std::map<cost::RoundLoad, std::uint64_t> rounds = {};  ///< by load, links being alike
  std::uint64_t hops = 0;                                ///< of the schedule
  std::vector<cost::RoundLoad> in_order = {};            ///< of aggregated messages: by round
};

/// Of the schedule of the algorithm. @pre the problem is supported
ScheduleCounts schedule_counts(const Algorithm& algorithm, const Problem& problem,
                               const Parameters& parameters);

/// By round, of aggregated messages over links that are alike: Algorithm::loads(), or those of the schedule.
std::vector<cost::RoundLoad> loads_in_order(const Algorithm& algorithm, const Problem& problem,
                                            const Parameters& parameters);

/// Algorithm::rounds().
std::uint64_t round_count(const Algorithm& algorithm, const Problem& problem, const Parameters& parameters);

/// Algorithm::adds_alike().
bool adds_alike(const Algorithm& algorithm, const Problem& problem, const Parameters& parameters);

/// The messages of the plan of an algorithm, in parameters.chains chains; nullptr if there are too many to follow them in a choice.
std::shared_ptr<const cost::RoutedMessages> routed_messages(const Algorithm& algorithm,
                                                            const Problem& problem,
                                                            const Parameters& parameters);

/// Algorithm::cut_through_rounds().
std::vector<cost::CutThroughRound> cut_through_rounds(const Algorithm& algorithm, const Problem& problem,
                                                      const Parameters& parameters);

}  // namespace isotrope::planner

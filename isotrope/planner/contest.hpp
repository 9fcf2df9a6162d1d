// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The entrants that can solve a problem, ready to be predicted for any size: one per algorithm, form (single packets
// or unbounded messages) and choice of parameters.
//
// An allreduce is of one block per node, N in all, or of a single block, the whole vector. Bytes are those of MPI's
// count, so that all entrants do the same.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "isotrope/cost/cut_through.hpp"
#include "isotrope/cost/machine.hpp"
#include "isotrope/cost/routed_completion.hpp"

#include "isotrope/planner/choice.hpp"
#include "isotrope/planner/segment_search.hpp"

namespace isotrope::planner {

/// Which messages may pass nodes without a stop. With several ranks a node those of algorithms that count what all ranks of a node
/// send over a link, which cost/cut_through.hpp does not.
enum class FarMessages { none, counting_lanes, any };
FarMessages far_messages(const cost::Machine& machine);

/// The bytes of a block for `bytes` as MPI counts them: of an allreduce the share of a node, rounded up.
std::uint64_t block_bytes_of(const Problem& problem, std::uint64_t bytes);

/// The bytes of a block of `algorithm` for `bytes` as MPI counts them: those of the problem, or the whole vector.
std::uint64_t plan_block_bytes(const Algorithm& algorithm, const Problem& problem, std::uint64_t bytes);

class Entrant {
 public:
  /// @pre the algorithm, which must outlive this, supports the problem. Strict schedules of P parts need
  /// `rounds_a_part` * P rounds or more. `any_order`: nodes may add the same contributions in different orders.
  Entrant(const Algorithm& algorithm, Problem problem, const Parameters& parameters, bool any_order,
          double rounds_a_part);

  /// Whether it takes part. The order of additions is found by running the schedule, so ask this of those alone that are
  /// faster than the others.
  bool may_win() const;
  /// Whether it is a candidate for `bytes` bytes.
  bool serves(std::uint64_t bytes) const { return candidate_.algorithm->serves(bytes); }
  bool is_from_file() const { return candidate_.algorithm->traits().from_file; }
  std::string name() const { return candidate_.name(); }
  /// The name of all entrants that differ in Parameters::levels alone.
  std::string family() const;
  /// The rounds of one segment; 0 over an overlay, no_rounds if there is no schedule. Entrants that reduce locally
  /// come last.
  std::uint64_t least_rounds();
  /// With as many segments as the problem has parts.
  Candidate as_given(std::uint64_t bytes, const cost::Machine& machine);
  /// What following messages one by one may take in a choice.
  struct Effort {
    std::uint64_t messages = std::uint64_t{1} << 18;
    std::uint64_t steps = std::uint64_t{1} << 19;
    std::uint64_t steps_of_ports = std::uint64_t{1} << 18;  ///< with the last port first
  };
  /// Whether its messages may be followed: those of an overlay, or if shares of the data (schedule/plan.hpp) may gain.
  bool may_be_followed(const cost::Machine& machine) const;
  /// What it may take then, at least, if it is predicted to take as long as `together`.
  double least_if_followed(const Prediction& together, const cost::Machine& machine) const;
  /// The candidate `together` with the time that its messages take, in chains or shares if they are faster so; nothing if
  /// that is not better known then, or to follow them takes too long. Messages over an overlay are followed up to `limit` seconds:
  /// what takes longer is `at_least` as long.
  std::optional<Candidate> followed(const Candidate& together, double limit, std::uint64_t bytes,
                                    const cost::Machine& machine, Effort& left);
  /// With the best number of segments, as SegmentSearch::fastest_below; what may be followed is worked out above the limit too, as
  /// far as it may gain.
  Candidate fastest_below(double limit, std::uint64_t bytes, const cost::Machine& machine);

 private:
  /// Whether the rounds of an overlay, without chains, are as long as predicted.
  bool are_rounds_exact(const cost::Machine& machine) const;
  bool works_unevenly(const cost::Machine& machine) const;
  std::optional<Candidate> over_overlay(const Candidate& together, double limit, std::uint64_t block_bytes,
                                        const cost::Machine& machine, Effort& left) const;
  std::optional<Candidate> in_segments(const Candidate& together, std::uint64_t block_bytes,
                                       const cost::Machine& machine, Effort& left);
  struct Followed {
    double seconds;  // infinity if above the limit
    schedule::SendOrder order;
  };
  // Of all messages, followed one by one, in the better order; nothing if they are too many.
  std::optional<Followed> seconds_of(const Problem& problem, const Parameters& parameters,
                                     const std::vector<std::uint64_t>& part_bytes, double limit,
                                     const cost::Machine& machine, Effort& left) const;
  // Of a candidate in shares, whose nodes are alike, with all messages of one of them; as predicted if they are too many.
  double seconds_over_all_ports(const Candidate& in_shares, std::uint64_t block_bytes,
                                const cost::Machine& machine, Effort& left) const;
  std::optional<Candidate> in_shares(const Candidate& together, std::uint64_t block_bytes,
                                     const cost::Machine& machine, Effort& left) const;
  Candidate predicted(SegmentSearch::Fastest found, std::uint64_t block_bytes,
                      const cost::Machine& machine) const;

  // Messages over an overlay: every block in so many parts.
  struct Routed {
    std::vector<cost::CutThroughRound> rounds = {};
    std::uint32_t parts = 1;

    Prediction prediction(const Problem& problem, std::uint64_t block_bytes,
                          const cost::Machine& machine) const;
  };

  Candidate candidate_;
  bool any_order_;
  std::variant<SegmentSearch, Routed> time_;
};

/// A candidate and its entrant.
struct Runner {
  Candidate candidate;
  Entrant* entrant;
  bool is_out = false;  ///< would lead and may not win
};

/// The fastest first; those that were worked out before others.
void sort_by_time(std::vector<Runner>& runners);

/// Follows the messages of the candidates that may then be the fastest and take less than `limit` seconds, the likeliest first, as
/// far as `left` goes for plans between neighbours, and as far for the others; and works out candidates with a lower bound below
/// what that finds. Leaves the fastest first, without those that would lead and may not win.
void follow(std::vector<Runner>& runners, double limit, std::uint64_t bytes, const cost::Machine& machine,
            Entrant::Effort left = {});

/// The entrants with the aggregation limit of the problem or, unless it is fixed, with limits 1 and unbounded; only
/// the preferred algorithm if there is one. Overlays enter if their messages may go as far as `far`.
/// @throws Error if there are none; the message says what would work.
std::vector<Entrant> entrants(const Problem& problem, const Preferences& preferences, bool fixed_aggregation,
                              FarMessages far, double rounds_a_part);

}  // namespace isotrope::planner

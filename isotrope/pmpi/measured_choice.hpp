// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The choice between the candidates for one kind of call, by measured times: candidate 0 is the MPI library, the others
// are plans of Isotrope. The library leads until a challenger is seen to be faster.
//
//     turn               two calls, of which the second is timed; or a run of calls if calls of the collective overlap: their
//                        time is that of the run
//     exploration 1      a turn for all in order, then in reverse; before runs, every candidate one call that is not timed
//                        (connections, plans)
//     each further one   the best challenger, between two turns of the leader
//     decision           the estimate of a candidate is the mean of the logarithms of its times without the largest tenth;
//                        a challenger is excluded if it is slower than the leader by one standard error, the library if
//                        by three, after five times at the earliest
//     settled            nobody is left, or another exploration would spend more than 10 calls on challengers and no plan of
//                        Isotrope leads that was compared with fewer than five times of the library; runs of many short calls
//                        spend more in the first one
//
// Why the second call: the one before it was by the same candidate, as most calls of a program are. The first finds the
// ranks together, and the caches and the pool of messages as another candidate has left them: with 16 ranks it took the
// library up to 1.7 times as long as the calls that follow, and a plan in which all send at once 0.6 to 0.8 times.
//
// A challenger whose first time is more than twice the library's is excluded at once, as is one that takes longer than the
// program has taken from call to call, all its other work included, while the library led. A plan of Isotrope leads if it
// beats the library by 5 % and by three standard errors, so that doubtful calls are left to the library.
//
// Convention: every rank gives the same times, so that the choices of all ranks are equal. Cost: O(samples) per decision.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace isotrope::pmpi {

/// The first candidate beside the library: the plan that the model chooses.
inline constexpr std::size_t own_plans = 1;
/// The next one, of ranks that share a memory: the plan that the model chooses if a rank moves one message at a time.
inline constexpr std::size_t one_port_plans = 2;

class MeasuredChoice {
 public:
  static constexpr std::size_t library = 0;
  static constexpr int most_challenger_calls = 10;

  /// What a call of an exploration does.
  struct Call {
    std::size_t candidate = library;
    bool is_timed = false;
  };

  /// Calls of one candidate: first those that are not timed, then the others.
  struct Turn {
    std::size_t candidate = library;
    int untimed = 0, timed = 0;

    int calls() const { return untimed + timed; }
    /// Takes the next call off the turn. @pre calls() > 0
    Call take();
  };

  /// @param candidates the library among them, at least 1. @param run calls of a timed run, or 0: calls do not overlap
  explicit MeasuredChoice(std::size_t candidates, int run = 0);

  /// The calls of a timed run that so many challengers can afford in the first exploration. @pre 1 to 3
  static constexpr int affordable_run(int challengers) {
    return (most_challenger_calls / challengers - 1) / 2;
  }

  /// Two times, measured earlier, of a candidate. @pre no exploration has begun; seconds > 0
  void add_prior(std::size_t candidate, double seconds);
  /// The seconds from call to call while the library led: a challenger that takes longer is excluded.
  void set_pace(double seconds) { pace_ = seconds; }
  /// Chooses the leader by what is known. Call it once after the priors.
  void decide();

  std::size_t candidates() const { return candidates_.size(); }
  std::size_t leader() const { return leader_; }
  bool is_settled() const { return settled_; }
  /// Whether the exploration has no more turns.
  bool is_over() const { return next_ == turns_.size(); }
  /// Begins the next exploration. @pre is_over(), not is_settled()
  void explore();
  /// The next turn. @pre not is_over()
  Turn turn() const { return turns_[next_]; }
  /// Ends the turn. @param seconds of a timed call of the turn, the mean; nothing if none was timed
  void end_turn(std::optional<double> seconds);

  /// The seconds of a candidate as estimated, or 0 if it was never timed.
  double estimate(std::size_t candidate) const;
  std::size_t samples(std::size_t candidate) const { return candidates_[candidate].logs.size(); }

 private:
  struct Candidate {
    std::vector<double> logs = {};  // of the seconds, ascending
    bool is_excluded = false;
  };

  double log_estimate(std::size_t candidate) const;
  double lead(std::size_t a, std::size_t b) const;
  double error(std::size_t a, std::size_t b) const;
  double spread() const;
  bool is_hopeless(std::size_t candidate, double seconds) const;
  void exclude(std::size_t candidate);
  bool is_doubtful() const;
  Turn turn_of(std::size_t candidate) const;
  bool can_afford_exploration() const {
    return challenger_calls_ + turn_of(library).calls() <= most_challenger_calls;
  }
  std::size_t best_challenger() const;

  std::vector<Candidate> candidates_;
  std::vector<Turn> turns_;
  std::size_t next_ = 0;  // of turns_
  std::size_t leader_ = library;
  int run_;
  double pace_ = std::numeric_limits<double>::infinity();
  int challenger_calls_ = 0;
  bool settled_ = false;
};

}  // namespace isotrope::pmpi

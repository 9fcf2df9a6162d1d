// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The choice between the candidates for one kind of call, by measured times: candidate 0 is the MPI library, the others
// are plans of Isotrope. The library leads until a challenger is seen to be faster.
//
//     turn               one call, or a run of calls if calls of the collective overlap: their time is that of the run
//     exploration 1      every candidate one call, not timed (connections, plans); then a turn for all in order, then in
//                        reverse
//     each further one   the best challenger twice, between two turns of the leader
//     decision           the estimate of a candidate is the mean of the logarithms of its times without the largest tenth;
//                        a challenger is excluded if it is slower than the leader by one standard error, the library if
//                        by three, after four times at the earliest
//     settled            nobody is left, or another exploration would spend more than 10 calls on challengers and no plan of
//                        Isotrope leads that was compared with the library once; runs of many short calls spend more in the first one
//
// A challenger whose first time is more than twice the library's is excluded at once, as is one that takes longer than the
// program has taken from call to call, all its other work included, while the library led. A plan of Isotrope leads if it
// beats the library by 5 % and by three standard errors, so that doubtful calls are left to the library.
//
// Convention: every rank gives the same times, so that the choices of all ranks are equal. Cost: O(samples) per decision.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace isotrope::pmpi {

class MeasuredChoice {
 public:
  static constexpr std::size_t library = 0;
  static constexpr int most_challenger_calls = 10;

  /// What the next call of an exploration does.
  struct Turn {
    std::size_t candidate = library;
    bool is_timed = false;
    int calls = 1;
  };

  /// @param candidates the library among them, at least 1. @param run calls of a timed turn
  explicit MeasuredChoice(std::size_t candidates, int run = 1);

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
  /// Ends the turn. @param seconds of a call of the turn, the mean; not used if the turn is not timed
  void end_turn(double seconds);

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
  bool can_afford_exploration() const { return challenger_calls_ + 2 * run_ <= most_challenger_calls; }
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

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The choice between the candidates for one kind of call, by measured times: candidate 0 is the MPI library, the others
// are plans of Isotrope. The library leads until a challenger is seen to be faster.
//
//     exploration 1      every candidate once, not timed (connections, plans); then all in order, then all in reverse
//     each further one   the best challenger twice, between two runs of the leader
//     decision           the estimate of a candidate is the mean of the logarithms of its times without the largest tenth;
//                        a candidate is excluded if it is slower than the leader by three standard errors, the library
//                        after four times at the earliest
//     settled            nobody is left, or 10 calls were spent on challengers
//
// A challenger whose first time is more than twice the library's is excluded at once. A plan of Isotrope leads if it beats
// the library by 5 % and by three standard errors, so that doubtful calls are left to the library.
//
// Convention: every rank gives the same times, so that the choices of all ranks are equal. Cost: O(samples) per decision.
#pragma once

#include <cstddef>
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
  };

  /// @param candidates the library among them, at least 1
  explicit MeasuredChoice(std::size_t candidates);

  /// Two times, measured earlier, of a candidate. @pre no exploration has begun; seconds > 0
  void add_prior(std::size_t candidate, double seconds);
  /// Chooses the leader by what is known. Call it once after the priors.
  void decide();

  std::size_t leader() const { return leader_; }
  bool is_settled() const { return settled_; }
  /// Whether the exploration has no more turns.
  bool is_over() const { return next_ == turns_.size(); }
  /// Begins the next exploration. @pre is_over(), not is_settled()
  void explore();
  /// The next turn. @pre not is_over()
  Turn turn() const { return turns_[next_]; }
  /// Ends the turn. @param seconds of the call, all ranks together; not used if the turn is not timed
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
  void exclude(std::size_t candidate);
  std::size_t best_challenger() const;

  std::vector<Candidate> candidates_;
  std::vector<Turn> turns_;
  std::size_t next_ = 0;  // of turns_
  std::size_t leader_ = library;
  int challenger_calls_ = 0;
  bool settled_ = false;
};

}  // namespace isotrope::pmpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/measured_choice.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "isotrope/base/median.hpp"

namespace isotrope::pmpi {
namespace {

// Times of the library, before it is given up for good.
constexpr std::size_t fewest_of_library = 5;

void insert_sorted(std::vector<double>& values, double value) {
  values.insert(std::ranges::upper_bound(values, value), value);
}

}  // namespace

MeasuredChoice::MeasuredChoice(std::size_t candidates, int run)
    : candidates_(candidates), run_(run), settled_(candidates == 1) {}

MeasuredChoice::Call MeasuredChoice::Turn::take() {
  const bool is_timed = untimed == 0;
  --(is_timed ? timed : untimed);
  return {candidate, is_timed};
}

MeasuredChoice::Turn MeasuredChoice::turn_of(std::size_t candidate) const {
  return run_ > 0 ? Turn{candidate, 0, run_} : Turn{candidate, 1, 1};
}

void MeasuredChoice::add_prior(std::size_t candidate, double seconds) {
  constexpr int weight = 2;
  for (int i = 0; i < weight; ++i) insert_sorted(candidates_[candidate].logs, std::log(seconds));
}

void MeasuredChoice::explore() {
  turns_.clear();
  next_ = 0;
  const std::size_t count = candidates_.size();
  if (challenger_calls_ == 0) {
    for (std::size_t c = 0; c < count && run_ > 0; ++c) turns_.push_back({.candidate = c, .untimed = 1});
    for (std::size_t c = 0; c < count; ++c) turns_.push_back(turn_of(c));
    for (std::size_t c = count; c-- > 0;) turns_.push_back(turn_of(c));
  } else {
    for (const std::size_t c : {leader_, best_challenger(), leader_}) turns_.push_back(turn_of(c));
  }
}

void MeasuredChoice::end_turn(std::optional<double> seconds) {
  const Turn turn = turns_[next_++];
  if (turn.candidate != leader_) challenger_calls_ += turn.calls();
  if (seconds) {
    // A clock that does not advance must not give an infinite logarithm.
    constexpr double shortest = 1e-9;
    std::vector<double>& logs = candidates_[turn.candidate].logs;
    insert_sorted(logs, std::log(std::max(*seconds, shortest)));
    if (turn.candidate != library && is_hopeless(turn.candidate, *seconds)) exclude(turn.candidate);
  }
  if (is_over()) decide();
}

bool MeasuredChoice::is_hopeless(std::size_t candidate, double seconds) const {
  const std::vector<double>&logs = candidates_[candidate].logs, &librarys = candidates_[library].logs;
  const bool is_twice_as_slow =
      logs.size() == 1 && !librarys.empty() && logs.front() > librarys.front() + std::log(2.0);
  return is_twice_as_slow || seconds > pace_;
}

// Its turns go too.
void MeasuredChoice::exclude(std::size_t candidate) {
  candidates_[candidate].is_excluded = true;
  const auto rest = turns_.begin() + static_cast<std::ptrdiff_t>(next_);
  turns_.erase(
      std::remove_if(rest, turns_.end(), [&](const Turn& turn) { return turn.candidate == candidate; }),
      turns_.end());
  const bool are_alone = std::ranges::count(candidates_, false, &Candidate::is_excluded) == 1;
  if (are_alone) turns_.resize(next_);
}

void MeasuredChoice::decide() {
  settled_ = settled_ || !can_afford_exploration();
  if (candidates_[library].logs.empty()) return;
  leader_ = library;
  for (std::size_t c = 1; c < candidates_.size(); ++c) {
    if (candidates_[c].is_excluded || candidates_[c].logs.empty()) continue;
    constexpr double least_gain = 0.05, standard_errors = 3;
    const bool beats_library = lead(c, library) >= std::max(least_gain, standard_errors * error(c, library));
    if (beats_library && (leader_ == library || lead(c, leader_) > 0)) leader_ = c;
  }
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    if (c == leader_ || candidates_[c].logs.empty()) continue;
    if (c == library && samples(c) < fewest_of_library) continue;
    const double standard_errors = c == library ? 3 : 1;
    if (lead(leader_, c) >= standard_errors * error(leader_, c)) candidates_[c].is_excluded = true;
  }
  const bool is_alone = std::ranges::count(candidates_, false, &Candidate::is_excluded) <= 1;
  settled_ = is_alone || (!can_afford_exploration() && !is_doubtful());
}

// The library has no more to lose than its calls: a plan that leads is compared a second time, later, before that is final.
bool MeasuredChoice::is_doubtful() const {
  return leader_ != library && samples(library) < fewest_of_library;
}

// By how much the logarithm of the time of `a` is less than that of `b`.
double MeasuredChoice::lead(std::size_t a, std::size_t b) const {
  return log_estimate(b) - log_estimate(a);
}

// The standard error of a lead.
double MeasuredChoice::error(std::size_t a, std::size_t b) const {
  return spread() * std::sqrt(1 / static_cast<double>(samples(a)) + 1 / static_cast<double>(samples(b)));
}

// What was never timed is the next to try.
double MeasuredChoice::log_estimate(std::size_t candidate) const {
  const std::vector<double>& logs = candidates_[candidate].logs;
  if (logs.empty()) return -std::numeric_limits<double>::infinity();
  constexpr std::size_t share = 10, fewest = 3;
  const std::size_t left_out = logs.size() < fewest ? 0 : std::max<std::size_t>(1, logs.size() / share);
  const std::size_t kept = logs.size() - left_out;
  return std::accumulate(logs.begin(), logs.begin() + static_cast<std::ptrdiff_t>(kept), 0.0) /
         static_cast<double>(kept);
}

double MeasuredChoice::estimate(std::size_t candidate) const {
  return samples(candidate) == 0 ? 0 : std::exp(log_estimate(candidate));
}

// The standard deviation of a logarithm by the median deviation, which outliers do not move.
double MeasuredChoice::spread() const {
  constexpr double least = 0.05, deviations = 1.48;
  std::vector<double> all;
  for (const Candidate& candidate : candidates_) {
    if (candidate.logs.empty()) continue;
    const double middle = median(candidate.logs);
    for (const double log : candidate.logs) all.push_back(std::abs(log - middle));
  }
  return std::max(least, deviations * median(all));
}

std::size_t MeasuredChoice::best_challenger() const {
  std::size_t best = leader_;
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    if (c == leader_ || candidates_[c].is_excluded) continue;
    if (best == leader_ || log_estimate(c) < log_estimate(best)) best = c;
  }
  return best;
}

}  // namespace isotrope::pmpi

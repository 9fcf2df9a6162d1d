// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/comparison.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "isotrope/planner/contest.hpp"

namespace isotrope::planner {
namespace {

class Race {
 public:
  Race(const Problem& problem, const cost::Machine& machine, const std::vector<std::string>& algorithms,
       bool associative)
      : machine_(machine) {
    if (algorithms.empty())
      add(entrants(problem, {.associative = associative}, false, machine.cut_through, 0));
    for (const std::string& name : algorithms)
      add(entrants(problem, {.algorithm = name}, false, machine.cut_through, 0));
  }

  std::size_t size() const { return field_.size(); }
  std::string name(std::size_t i) const { return field_[i].front().family(); }
  // Of the fastest of the family.
  Prediction predict(std::size_t i, std::uint64_t bytes) {
    Prediction best{.seconds = std::numeric_limits<double>::infinity()};
    for (Entrant& entrant : field_[i]) {
      const auto candidate = entrant.fastest_below(std::numeric_limits<double>::infinity(), bytes, machine_);
      if (candidate.prediction.seconds < best.seconds) best = candidate.prediction;
    }
    return best;
  }

  // The first of the fastest.
  std::size_t fastest(std::uint64_t bytes) {
    std::size_t best = 0;
    double least = predict(0, bytes).seconds;
    for (std::size_t i = 1; i < size(); ++i) {
      const double seconds = predict(i, bytes).seconds;
      if (seconds >= least) continue;
      best = i;
      least = seconds;
    }
    return best;
  }

 private:
  void add(std::vector<Entrant> entrants) {
    for (Entrant& entrant : entrants) {
      const std::string family = entrant.family();
      const auto same = std::ranges::find_if(
          field_, [&](const std::vector<Entrant>& others) { return others.front().family() == family; });
      std::vector<Entrant>& relatives = same == field_.end() ? field_.emplace_back() : *same;
      relatives.push_back(std::move(entrant));
    }
  }

  const cost::Machine& machine_;
  std::vector<std::vector<Entrant>> field_;  // by family
};

// Finds the changes of the fastest between two sizes, whose fastest are `before` and `after`.
void find_crossovers(Race& race, std::uint64_t from, std::size_t before, std::uint64_t to, std::size_t after,
                     std::vector<Crossover>& found) {
  if (before == after) return;
  if (to - from == 1) {
    found.push_back({to, race.predict(after, to).seconds, race.name(before), race.name(after)});
    return;
  }
  const std::uint64_t middle = from + (to - from) / 2;
  const std::size_t between = race.fastest(middle);
  find_crossovers(race, from, before, middle, between, found);
  find_crossovers(race, middle, between, to, after, found);
}

}  // namespace

Comparison compare(const Problem& problem, const std::vector<std::uint64_t>& bytes,
                   const cost::Machine& machine, const std::vector<std::string>& algorithms, bool associative,
                   const std::function<void(double)>& progress) {
  check(machine, problem.network.degree());
  Race race(problem, machine, algorithms, associative);
  Comparison result{bytes, {}, {}, {}};
  for (std::size_t i = 0; i < race.size(); ++i) result.curves.push_back({race.name(i)});
  for (std::size_t s = 0; s < bytes.size(); ++s) {
    for (std::size_t i = 0; i < race.size(); ++i)
      result.curves[i].predictions.push_back(race.predict(i, bytes[s]));
    result.fastest.push_back(race.fastest(bytes[s]));
    if (s > 0)
      find_crossovers(race, bytes[s - 1], result.fastest[s - 1], bytes[s], result.fastest[s],
                      result.crossovers);
    if (progress) progress(static_cast<double>(s + 1) / static_cast<double>(bytes.size()));
  }
  return result;
}

}  // namespace isotrope::planner

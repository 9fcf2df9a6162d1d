// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "isotrope/planner/contest.hpp"
#include "isotrope/planner/time_bound.hpp"

namespace isotrope::planner {
namespace {

class Race {
 public:
  Race(const Problem& problem, const cost::Machine& machine, const std::vector<std::string>& algorithms,
       bool associative, double rounds_a_part)
      : machine_(machine) {
    const auto enter = [&](const Preferences& preferences) {
      add(entrants(problem, preferences, false, far_messages(machine), rounds_a_part));
    };
    if (algorithms.empty()) enter({.associative = associative});
    for (const std::string& name : algorithms) enter({.algorithm = name});
  }

  std::size_t size() const { return field_.size(); }
  std::string name(std::size_t i) const { return field_[i].front().family(); }
  // Of the fastest of the family.
  Prediction predict(std::size_t i, std::uint64_t bytes) { return predict_below(infinity, i, bytes); }
  // Of the fastest of each family. Messages are followed of those alone that may then be the fastest of all, the likeliest first.
  std::vector<Prediction> predict_all(std::uint64_t bytes) {
    std::vector<std::vector<Runner>> runners(size());
    std::vector<std::size_t> order(size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (const std::size_t i : order) runners[i] = runners_below(infinity, i, bytes);
    const auto in_rounds = [&](std::size_t i) { return fastest_of(runners[i]).seconds; };
    std::ranges::stable_sort(order, {}, in_rounds);
    std::vector<Prediction> result(size());
    double least = infinity;
    for (const std::size_t i : order) {
      follow_some(runners[i], least, bytes);
      result[i] = fastest_of(runners[i]);
      least = std::min(least, result[i].seconds);
    }
    return result;
  }

  // The first of the fastest. The two that are likely set a limit which most others do not reach.
  std::size_t fastest(std::uint64_t bytes, std::size_t likely, std::size_t also_likely) {
    std::size_t best = likely;
    double least = predict(likely, bytes).seconds;
    const auto try_one = [&](std::size_t i) {
      const bool wins_ties = i < best;
      const double limit = wins_ties ? std::nextafter(least, infinity) : least;
      const double seconds = predict_below(limit, i, bytes).seconds;
      if (seconds >= limit) return;
      best = i;
      least = seconds;
    };
    try_one(also_likely);
    for (std::size_t i = 0; i < size(); ++i) {
      if (i != likely && i != also_likely) try_one(i);
    }
    return best;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  // The fastest of the family; infinity if none takes less than `limit` seconds.
  Prediction predict_below(double limit, std::size_t i, std::uint64_t bytes) {
    std::vector<Runner> runners = runners_below(limit, i, bytes);
    follow_some(runners, limit, bytes);
    return fastest_of(runners);
  }
  // Those of the family that take part, worked out as far as they may take less than `limit` seconds and the others.
  std::vector<Runner> runners_below(double limit, std::size_t i, std::uint64_t bytes) {
    std::vector<Runner> runners;
    double least = limit;
    for (Entrant& entrant : field_[i]) {
      Candidate candidate = entrant.fastest_below(least, bytes, machine_);
      // Only those that lead are asked: to find out takes as long as to write the plan.
      if (!candidate.at_least && candidate.prediction.seconds < least) {
        if (!entrant.may_win()) continue;
        least = candidate.prediction.seconds;
      }
      runners.push_back({std::move(candidate), &entrant});
    }
    return runners;
  }
  void follow_some(std::vector<Runner>& runners, double limit, std::uint64_t bytes) const {
    follow(runners, limit, bytes, machine_,
           {.messages = std::uint64_t{1} << 15, .steps = std::uint64_t{1} << 16});
  }
  static Prediction fastest_of(const std::vector<Runner>& runners) {
    Prediction result{.seconds = infinity};
    for (const Runner& runner : runners) {
      const Prediction& prediction = runner.candidate.prediction;
      if (!runner.candidate.at_least && prediction.seconds < result.seconds) result = prediction;
    }
    return result;
  }
  void add(std::vector<Entrant> entrants) {
    for (Entrant& entrant : entrants) {
      const std::string family = entrant.family();
      const auto same = std::ranges::find_if(
          field_, [&](const std::vector<Entrant>& others) { return others.front().family() == family; });
      std::vector<Entrant>& relatives = same == field_.end() ? field_.emplace_back() : *same;
      relatives.push_back(std::move(entrant));
    }
    std::erase_if(field_, [](const std::vector<Entrant>& family) {
      return std::ranges::none_of(family, &Entrant::may_win);
    });
  }

  const cost::Machine& machine_;
  std::vector<std::vector<Entrant>> field_;  // by family
};

std::size_t first_of_fastest(const std::vector<Curve>& curves, std::size_t size) {
  const auto fastest = std::ranges::min_element(
      curves, {}, [size](const Curve& curve) { return curve.predictions[size].seconds; });
  return static_cast<std::size_t>(fastest - curves.begin());
}

// Break-even points that are closer, relative to their sizes, are one.
constexpr double apart = 1.001;

bool are_close(std::uint64_t from, std::uint64_t to) {
  return static_cast<double>(to) < apart * static_cast<double>(from);
}

// The size at which `after` overtakes `before`, if no other one comes between.
std::uint64_t break_even(Race& race, std::uint64_t from, std::size_t before, std::uint64_t to,
                         std::size_t after) {
  while (to - from > 1) {
    const std::uint64_t middle = from + (to - from) / 2;
    const auto place_of = [&](std::size_t i) { return std::pair(race.predict(i, middle).seconds, i); };
    (place_of(after) < place_of(before) ? to : from) = middle;
  }
  return to;
}

// Finds the changes of the fastest between two sizes, whose fastest are `before` and `after`.
void find_crossovers(Race& race, std::uint64_t from, std::size_t before, std::uint64_t to, std::size_t after,
                     std::vector<Crossover>& found) {
  if (before == after) return;
  if (to - from == 1 || are_close(from, to)) {
    const std::uint64_t bytes = break_even(race, from, before, to, after);
    found.push_back({bytes, race.predict(after, bytes).seconds, race.name(before), race.name(after)});
    return;
  }
  const std::uint64_t middle = from + (to - from) / 2;
  const std::size_t between = race.fastest(middle, before, after);
  find_crossovers(race, from, before, middle, between, found);
  find_crossovers(race, middle, between, to, after, found);
}

// Without detours between close ones by another algorithm.
std::vector<Crossover> without_close_ones(const std::vector<Crossover>& crossovers) {
  std::vector<Crossover> result;
  for (const Crossover& next : crossovers) {
    if (result.empty() || !are_close(result.back().bytes, next.bytes)) {
      result.push_back(next);
      continue;
    }
    result.back() = {next.bytes, next.seconds, result.back().slower, next.faster};
    if (result.back().slower == next.faster) result.pop_back();
  }
  return result;
}

}  // namespace

std::vector<std::vector<std::size_t>> Comparison::groups() const {
  const auto same_times = [&](std::size_t a, std::size_t b) {
    return std::ranges::equal(curves[a].predictions, curves[b].predictions, {}, &Prediction::seconds,
                              &Prediction::seconds);
  };
  std::vector<std::vector<std::size_t>> result;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const auto same =
        std::ranges::find_if(result, [&](const auto& group) { return same_times(group.front(), i); });
    if (same == result.end()) {
      result.push_back({i});
    } else {
      same->push_back(i);
    }
  }
  return result;
}

Comparison compare(const Problem& problem, const std::vector<std::uint64_t>& bytes,
                   const cost::Machine& machine, const std::vector<std::string>& algorithms, bool associative,
                   const std::function<void(double)>& progress) {
  check(machine, problem.network.degree());
  const TimeBounds bounds(problem, machine);
  Race race(problem, machine, algorithms, associative, bounds.rounds_a_part());
  Comparison result{.bytes = bytes};
  for (std::size_t i = 0; i < race.size(); ++i) result.curves.push_back({race.name(i)});
  for (std::size_t s = 0; s < bytes.size(); ++s) {
    const std::vector<Prediction> predictions = race.predict_all(bytes[s]);
    for (std::size_t i = 0; i < race.size(); ++i) result.curves[i].predictions.push_back(predictions[i]);
    result.fastest.push_back(first_of_fastest(result.curves, s));
    if (s > 0)
      find_crossovers(race, bytes[s - 1], result.fastest[s - 1], bytes[s], result.fastest[s],
                      result.crossovers);
    result.bound_s.push_back(bounds.at(bytes[s]).seconds);
    if (progress) progress(static_cast<double>(s + 1) / static_cast<double>(bytes.size()));
  }
  result.crossovers = without_close_ones(result.crossovers);
  return result;
}

}  // namespace isotrope::planner

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "isotrope/planner/contest.hpp"
#include "isotrope/planner/crossover_search.hpp"
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

  // The first of the fastest of all but those two, if it takes less than `limit` seconds.
  std::optional<std::size_t> faster_than(std::uint64_t bytes, double limit, std::size_t one,
                                         std::size_t other) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < size(); ++i) {
      if (i == one || i == other) continue;
      const double seconds = predict_below(limit, i, bytes).seconds;
      if (seconds >= limit) continue;
      best = i;
      limit = seconds;
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
           {.messages = std::uint64_t{1} << 15,
            .steps = std::uint64_t{1} << 16,
            .steps_of_ports = std::uint64_t{1} << 14});
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
  const TimeCurves curves{[&](std::size_t i, std::uint64_t size) { return race.predict(i, size).seconds; },
                          [&](std::uint64_t size, double limit, std::size_t one, std::size_t other) {
                            return race.faster_than(size, limit, one, other);
                          }};
  Comparison result{.bytes = bytes};
  for (std::size_t i = 0; i < race.size(); ++i) result.curves.push_back({race.name(i)});
  std::size_t leader = 0;
  std::uint64_t led_at = 0;  // the last size at which it was the fastest
  for (std::size_t s = 0; s < bytes.size(); ++s) {
    const std::vector<Prediction> predictions = race.predict_all(bytes[s]);
    for (std::size_t i = 0; i < race.size(); ++i) result.curves[i].predictions.push_back(predictions[i]);
    result.fastest.push_back(first_of_fastest(result.curves, s));
    const std::size_t fastest = result.fastest.back();
    const bool gains = s > 0 && fastest != leader &&
                       least_gain * predictions[fastest].seconds < race.predict(leader, bytes[s]).seconds;
    if (gains) {
      for (const auto& [at, before, after] :
           changes_of_the_fastest(curves, led_at, leader, bytes[s], fastest))
        result.crossovers.push_back(
            {at, race.predict(after, at).seconds, race.name(before), race.name(after)});
    }
    if (s == 0 || gains) leader = fastest;
    if (leader == fastest) led_at = bytes[s];
    result.bound_s.push_back(bounds.at(bytes[s]).seconds);
    if (progress) progress(static_cast<double>(s + 1) / static_cast<double>(bytes.size()));
  }
  result.crossovers = without_close_ones(result.crossovers);
  return result;
}

}  // namespace isotrope::planner

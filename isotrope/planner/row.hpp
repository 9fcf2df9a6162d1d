// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A row of the catalogue: an algorithm by its traits and functions of the problem.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "isotrope/planner/algorithm.hpp"

namespace isotrope::planner {

using Algorithms = std::vector<std::unique_ptr<const Algorithm>>;

struct Functions {
  std::function<std::optional<std::string>(const Problem&)> unsupported_reason;
  std::function<schedule::Schedule(const Problem&, const Parameters&)> schedule;
  /// Empty: the rounds of the schedule are counted.
  std::function<std::uint64_t(const Problem&, const Parameters&)> rounds = {};
};

class Row final : public Algorithm {
 public:
  Row(Traits traits, Functions functions) : Algorithm(std::move(traits)), functions_(std::move(functions)) {}

  std::optional<std::string> unsupported_reason(const Problem& problem) const override {
    return functions_.unsupported_reason(problem);
  }
  std::uint64_t rounds(const Problem& problem, const Parameters& parameters) const override {
    return functions_.rounds ? functions_.rounds(problem, parameters)
                             : Algorithm::rounds(problem, parameters);
  }
  schedule::Schedule schedule(const Problem& problem, const Parameters& parameters) const override {
    return functions_.schedule(problem, parameters);
  }

 private:
  Functions functions_;
};

/// A function of the problem alone, as one that takes parameters too.
template <class Function>
auto of_problem(Function function) {
  return [function](const Problem& problem, const Parameters& /*parameters*/) { return function(problem); };
}

/// A row whose functions take the problem alone; without `rounds` they are counted.
template <class Reason, class Schedule>
std::unique_ptr<const Algorithm> row(Traits traits, Reason reason, Schedule schedule) {
  return std::make_unique<Row>(std::move(traits), Functions{reason, of_problem(schedule)});
}
template <class Reason, class Schedule, class Rounds>
std::unique_ptr<const Algorithm> row(Traits traits, Reason reason, Schedule schedule, Rounds rounds) {
  return std::make_unique<Row>(std::move(traits),
                               Functions{reason, of_problem(schedule), of_problem(rounds)});
}

}  // namespace isotrope::planner

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// When a search for a schedule ends: at its target, or after so many constructions, or after so much work, or, if the
// caller sets a time, after that time alone. Without a time the same search always gives the same schedule.
#pragma once

#include <chrono>
#include <cstdint>

#include "isotrope/base/interruption.hpp"

namespace isotrope::algorithm {

struct SearchLimits {
  std::uint64_t target = 0;                      ///< rounds that no schedule beats
  std::uint32_t seed = 1;                        ///< of the random choices
  std::uint32_t runs = 400;                      ///< constructions
  std::uint64_t links = std::uint64_t{1} << 23;  ///< links looked at, after which no construction begins
  double seconds = 0;                            ///< 0: no time is set; else it replaces runs and links

  bool operator==(const SearchLimits&) const = default;
};

/// What is left of a search.
class SearchBudget {
 public:
  explicit SearchBudget(const SearchLimits& limits) : limits_(limits) {}

  /// Whether construction `run`, counted from 1, may begin; the first may.
  /// The caller of the search may end it here (base/interruption.hpp).
  bool allows(std::uint32_t run) const {
    check_interruption();
    if (run == 1) return true;
    if (limits_.seconds > 0) return elapsed() < limits_.seconds;
    return run <= limits_.runs && spent_ < limits_.links;
  }
  /// Counts the links that a construction has looked at.
  void spend(std::uint64_t links) { spent_ += links; }

 private:
  using Clock = std::chrono::steady_clock;
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  SearchLimits limits_;
  Clock::time_point start_ = Clock::now();
  std::uint64_t spent_ = 0;
};

/// The share of its limits that a search has used, which divides its work between several goals.
class SearchEffort {
 public:
  explicit SearchEffort(const SearchLimits& limits) : limits_(limits) {}

  /// Counts the links that the search has looked at.
  void spend(std::uint64_t links) { spent_ += links; }
  /// Of the time, if a time is set, else of the links; beyond 1 the limits are exceeded.
  double used() const {
    check_interruption();
    if (limits_.seconds > 0)
      return std::chrono::duration<double>(Clock::now() - start_).count() / limits_.seconds;
    return static_cast<double>(spent_) / static_cast<double>(limits_.links);
  }

 private:
  using Clock = std::chrono::steady_clock;

  SearchLimits limits_;
  Clock::time_point start_ = Clock::now();
  std::uint64_t spent_ = 0;
};

}  // namespace isotrope::algorithm

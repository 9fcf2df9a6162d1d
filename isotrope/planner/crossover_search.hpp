// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The sizes at which the fastest of several curves of time over size changes.
//
// Between two sizes with different fastest curves, the next size to look at is the one at which these two would meet if
// both were straight (regula falsi; an end that stays counts half each time, the Illinois rule). A third curve that is ahead
// there divides the search. Times are linear in bytes but for few kinks, so two or three steps suffice mostly; every third
// step halves the interval, so that none takes more than three times as many steps as bisection.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace isotrope::planner {

/// Changes that are closer, relative to their sizes, are one.
inline constexpr double least_ratio_of_changes = 1.001;
bool are_close(std::uint64_t from, std::uint64_t to);

/// Another curve matters if it is ahead by more than this ratio of times somewhere: some differ by a ten-thousandth, now this
/// way and now that.
inline constexpr double least_gain = 1.001;

/// Curves by number. Of two with the same time, the one with the smaller number is ahead.
struct TimeCurves {
  std::function<double(std::size_t curve, std::uint64_t bytes)> seconds;
  /// The fastest at this size of all curves but those two, if it takes less than `limit` seconds.
  std::function<std::optional<std::size_t>(std::uint64_t bytes, double limit, std::size_t one,
                                           std::size_t other)>
      faster_than;
};

/// From `bytes` on, `after` is ahead of `before`; with one byte less it is not.
struct Change {
  std::uint64_t bytes;
  std::size_t before;
  std::size_t after;

  bool operator==(const Change&) const = default;
};

/// The changes between two sizes at which `before` and `after` are the fastest, in ascending order. Third curves count that gain
/// more than `least_gain`, between sizes that are not close.
std::vector<Change> changes_of_the_fastest(const TimeCurves& curves, std::uint64_t from, std::size_t before,
                                           std::uint64_t to, std::size_t after);

}  // namespace isotrope::planner

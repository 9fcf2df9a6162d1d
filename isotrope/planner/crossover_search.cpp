// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/crossover_search.hpp"

#include <algorithm>
#include <cmath>

namespace isotrope::planner {
namespace {

// Two curves between a size at which one is ahead and a size at which the other is.
class Bracket {
 public:
  Bracket(const TimeCurves& curves, std::uint64_t from, std::size_t before, std::uint64_t to,
          std::size_t after)
      : curves_(curves),
        before_(before),
        after_(after),
        from_(from),
        to_(to),
        lead_from_(lead(from)),
        lead_to_(lead(to)) {}

  std::uint64_t from() const { return from_; }
  std::uint64_t to() const { return to_; }
  bool is_closed() const { return to_ - from_ == 1; }

  // A size inside.
  std::uint64_t next() {
    const std::uint64_t width = to_ - from_;
    const double share = lead_from_ / (lead_from_ - lead_to_);
    if (++step_ % 3 == 0 || !(share >= 0 && share <= 1)) return from_ + width / 2;
    const auto before_meeting = static_cast<std::uint64_t>(share * static_cast<double>(width));
    return from_ + std::clamp<std::uint64_t>(before_meeting + 1, 1, width - 1);
  }
  // The time of the faster one there, after which the bracket ends or begins there.
  double put(std::uint64_t bytes) {
    const double before_s = curves_.seconds(before_, bytes), after_s = curves_.seconds(after_, bytes);
    const double lead = before_s - after_s;
    const bool is_after_ahead = lead > 0 || (lead == 0 && after_ < before_);
    (is_after_ahead ? to_ : from_) = bytes;
    (is_after_ahead ? lead_to_ : lead_from_) = lead;
    if (step_ > 1 && was_after_ahead_ == is_after_ahead) (is_after_ahead ? lead_from_ : lead_to_) /= 2;
    was_after_ahead_ = is_after_ahead;
    return std::min(before_s, after_s);
  }

 private:
  // By how much `after` is ahead.
  double lead(std::uint64_t bytes) const {
    return curves_.seconds(before_, bytes) - curves_.seconds(after_, bytes);
  }

  const TimeCurves& curves_;
  std::size_t before_, after_;
  std::uint64_t from_, to_;
  double lead_from_, lead_to_;
  int step_ = 0;
  bool was_after_ahead_ = false;
};

void find_changes(const TimeCurves& curves, std::uint64_t from, std::size_t before, std::uint64_t to,
                  std::size_t after, std::vector<Change>& found) {
  if (before == after) return;
  Bracket bracket(curves, from, before, to, after);
  while (!bracket.is_closed()) {
    from = bracket.from();
    to = bracket.to();
    const std::uint64_t bytes = bracket.next();
    const double seconds = bracket.put(bytes);
    if (are_close(from, to)) continue;
    if (const auto third = curves.faster_than(bytes, seconds / least_gain, before, after)) {
      find_changes(curves, from, before, bytes, *third, found);
      find_changes(curves, bytes, *third, to, after, found);
      return;
    }
  }
  found.push_back({bracket.to(), before, after});
}

}  // namespace

bool are_close(std::uint64_t from, std::uint64_t to) {
  return static_cast<double>(to) < least_ratio_of_changes * static_cast<double>(from);
}

std::vector<Change> changes_of_the_fastest(const TimeCurves& curves, std::uint64_t from, std::size_t before,
                                           std::uint64_t to, std::size_t after) {
  std::vector<Change> result;
  find_changes(curves, from, before, to, after, result);
  return result;
}

}  // namespace isotrope::planner

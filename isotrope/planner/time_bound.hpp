// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The lower bound on the time of round-synchronous schedules between neighbours (choice.hpp), for many sizes.
//
// Cost: the bounds of a problem for three numbers of parts, once; then O(1) a size.
#pragma once

#include <cstdint>
#include <string>

#include "isotrope/cost/machine.hpp"

#include "isotrope/planner/choice.hpp"

namespace isotrope::planner {

class TimeBounds {
 public:
  /// Parts and aggregation limit of the problem are not looked at.
  explicit TimeBounds(const Problem& problem);

  /// Strict schedules of P parts need this times P rounds or more.
  double rounds_a_part() const { return blocks_.least; }
  /// The bound for `bytes` as MPI counts them.
  TimeBound at(std::uint64_t bytes, const cost::Machine& machine) const;

 private:
  // How many blocks the busiest links of all rounds carry together, at least.
  struct LinkBlocks {
    double least = 0;
    std::string kind = {};  // of the bound; empty: none is known
  };
  static LinkBlocks growth_of_bounds(Problem problem);
  static LinkBlocks least_link_blocks(Problem problem);

  LinkBlocks blocks_;
  double shares_;     // that an allreduce's vector has; of the others 1
  TimeBound rounds_;  // without what depends on the size
};

}  // namespace isotrope::planner

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The checks of a plan, and the list to which they add violations.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "isotrope/verify/verify.hpp"

namespace isotrope::verify {

/// The violations found so far: keeps the first ones, counts all.
class Violations {
 public:
  explicit Violations(std::uint64_t most) : most_(most) {}

  /// Counts a violation and keeps the result of `make()` if there is room; the message is not built otherwise.
  template <class Make>
  void add(Make make) {
    if (count_++ < most_) kept_.push_back(make());
  }

  std::uint64_t count() const { return count_; }
  std::vector<Violation> take() { return std::move(kept_); }

 private:
  std::uint64_t most_;
  std::uint64_t count_ = 0;
  std::vector<Violation> kept_;
};

/// The checks that follow no hop: the stages fit the collective, the network and each other, and their packets are
/// those of the collective and of its traffic. If nothing is wrong, the packets of every stage are well defined
/// (schedule::Packets) and in range.
void check_structure(const Plan& plan, Violations& violations);

/// Follows the hops of stage number `stage`, round by round, in the quotient by its translations, and adds the
/// measured counts to `report`. @pre check_structure found nothing.
void check_stage(const Plan& plan, std::size_t stage, const Options& options, Violations& violations,
                 Report& report);

/// Follows the packets of the only stage of a plan without waiting or with barriers or limits of steps, and adds the
/// counts of every step to `report`; else does nothing. @pre check_structure found nothing.
void check_motion(const Plan& plan, Violations& violations, Report& report);

/// Compares the plan's bound and claims with the measured and recomputed ones. A bound without a kind, a reason,
/// optimality and the loads of aggregated rounds are not compared if the plan leaves them out. Sets the report's
/// bound and `optimal`. A plan that is not `sound`, whose packets or failures make no sense, has no bound.
/// @pre `report` has valid, rounds, hops and link_load.
void check_claims(const Plan& plan, bool sound, Report& report, Violations& violations);

/// The nodes that have not failed, ascending.
std::vector<Node> surviving_nodes(const Plan& plan);

/// The number of nodes that have not failed.
std::uint64_t surviving_count(const Plan& plan);

}  // namespace isotrope::verify

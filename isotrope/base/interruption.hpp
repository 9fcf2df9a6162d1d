// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Long work that its caller can end: planning asks a check of the caller between its steps, and the check may throw.
//
//     const InterruptionCheck check([&] { if (stop) throw Stopped(); });
//     planner::make_plan(problem);          throws Stopped soon after `stop` is true
//
// Steps are the rounds of schedules and the constructions of searches. A thread has at most one check in force, the newest;
// threads that the work starts have none.
#pragma once

#include <functional>

namespace isotrope {

class InterruptionCheck {
 public:
  /// Puts `check` in force for this thread, until the end of this object.
  explicit InterruptionCheck(std::function<void()> check);
  ~InterruptionCheck();
  InterruptionCheck(const InterruptionCheck&) = delete;
  InterruptionCheck& operator=(const InterruptionCheck&) = delete;

  const std::function<void()>& check() const { return check_; }

 private:
  std::function<void()> check_;
  const InterruptionCheck* before_;
};

/// Calls the check in force, if there is one. @throws what the check throws
void check_interruption();

}  // namespace isotrope

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether this thread is inside a call that the drop-in serves or passes on. Calls that the runtime and the
// MPI library make meanwhile are their own and are passed on: MPI_Bcast -> isotrope -> MPI_Bcast -> library.
#pragma once

namespace isotrope::pmpi {

class ReentryGuard {
 public:
  ReentryGuard() { ++depth; }
  ReentryGuard(const ReentryGuard&) = delete;
  ReentryGuard& operator=(const ReentryGuard&) = delete;
  ~ReentryGuard() { --depth; }

  /// Whether a guard exists on this thread.
  static bool is_active() { return depth > 0; }

 private:
  static inline thread_local int depth = 0;
};

}  // namespace isotrope::pmpi

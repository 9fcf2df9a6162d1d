// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether this thread is inside a call that has been taken or passed on. What the runtime and the MPI library
// call for themselves meanwhile is theirs and goes straight on: MPI_Bcast -> isotrope -> MPI_Bcast -> library.
#pragma once

namespace isotrope::pmpi {

class Inside {
 public:
  Inside() { ++depth; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() { --depth; }

  static bool already() { return depth > 0; }

 private:
  static inline thread_local int depth = 0;
};

}  // namespace isotrope::pmpi

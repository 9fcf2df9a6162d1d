// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/execution.hpp"

#include <new>

namespace isotrope::mpi {

template <class Run>
bool Execution::unless_broken(const Run& run) {
  if (is_broken_) return true;
  try {
    return run();
  } catch (const std::bad_alloc&) {
    is_broken_ = true;
    error_ = MPI_ERR_NO_MEM;
    return true;
  }
}

void Execution::start() {
  error_ = MPI_SUCCESS;
  unless_broken([&] {
    begin();
    return true;
  });
}

bool Execution::test() {
  return unless_broken([&] { return advance(); });
}

void Execution::wait() {
  unless_broken([&] {
    finish();
    return true;
  });
}

}  // namespace isotrope::mpi

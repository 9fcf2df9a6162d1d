// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The open collectives of one communicator. Testing or waiting for one of them advances all: ranks may
// complete their requests in different orders, and would deadlock if each advanced only its own.
//
// Cost: none if one collective is open; otherwise one test of each per turn until the awaited one is
// complete.
#pragma once

#include <mpi.h>
#include <vector>

#include "isotrope/mpi/executor.hpp"

namespace isotrope::mpi {

class ProgressEngine {
 public:
  /// `executor` must be removed before its lifetime ends.
  void add(Executor& executor) { open_.push_back(&executor); }
  void remove(Executor& executor) { std::erase(open_, &executor); }

  /// Advances all open collectives without blocking.
  void advance_all() {
    for (Executor* executor : open_) executor->test();
  }
  /// Advances all open collectives until `executor`, one of them, is complete.
  void wait(Executor& executor) {
    if (open_.size() == 1) return executor.wait();
    while (!executor.test()) advance_all();
  }
  /// Advances all open collectives until a request of MPI is complete. @returns the code of MPI
  int wait(MPI_Request& request) {
    int complete = 0, code = MPI_SUCCESS;
    if (open_.empty()) return MPI_Wait(&request, MPI_STATUS_IGNORE);
    while (complete == 0 && code == MPI_SUCCESS) {
      advance_all();
      code = MPI_Test(&request, &complete, MPI_STATUS_IGNORE);
    }
    return code;
  }

 private:
  std::vector<Executor*> open_;
};

}  // namespace isotrope::mpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The executions of one communicator that are not over. Whoever tests or waits for one carries all of them
// on: ranks may finish what they have begun in different orders, and each then waits for what others do for
// another.
//
// Cost: where one alone is open, nothing; else a test of each in turn until the one waited for is over.
#pragma once

#include <algorithm>
#include <mpi.h>
#include <vector>

#include "isotrope/mpi/execution.hpp"

namespace isotrope::mpi {

class Progress {
 public:
  /// It must be taken away before it ends.
  void add(Execution& execution) { open_.push_back(&execution); }
  void remove(Execution& execution) { std::erase(open_, &execution); }

  /// Goes on with all as far as possible without waiting.
  void carry_on() {
    for (Execution* execution : open_) execution->test();
  }
  /// Goes on until `execution`, one of them, is over.
  void wait(Execution& execution) {
    if (open_.size() == 1) return execution.wait();
    while (!execution.test()) carry_on();
  }
  /// Goes on until a request of MPI is over. @returns MPI's code.
  int wait(MPI_Request& request) {
    int over = 0, code = MPI_SUCCESS;
    if (open_.empty()) return MPI_Wait(&request, MPI_STATUS_IGNORE);
    while (over == 0 && code == MPI_SUCCESS) {
      carry_on();
      code = MPI_Test(&request, &over, MPI_STATUS_IGNORE);
    }
    return code;
  }

 private:
  std::vector<Execution*> open_;
};

}  // namespace isotrope::mpi

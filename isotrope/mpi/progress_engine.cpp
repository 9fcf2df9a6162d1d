// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/progress_engine.hpp"

namespace isotrope::mpi {

int ProgressEngine::wait(MPI_Request& request) {
  while (has_others(nullptr)) {
    int complete = 0;
    const int code = MPI_Test(&request, &complete, MPI_STATUS_IGNORE);
    if (complete != 0 || code != MPI_SUCCESS) return code;
    advance();
  }
  return MPI_Wait(&request, MPI_STATUS_IGNORE);
}

}  // namespace isotrope::mpi

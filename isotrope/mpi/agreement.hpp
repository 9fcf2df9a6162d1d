// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether all ranks of a communicator mean the same call: one reduction of a few numbers.
#pragma once

#include <cstdint>
#include <mpi.h>

#include "isotrope/schedule/task.hpp"

#include "isotrope/mpi/progress.hpp"

namespace isotrope::mpi {

/// What all ranks must call a collective with alike.
struct Arguments {
  schedule::Collective collective = schedule::Collective::barrier;
  int root = 0;
  std::uint64_t bytes = 0;  ///< of a block
  MPI_Op op = MPI_OP_NULL;
};

/// @param valid whether this rank found its own arguments in order.
/// @throws Failure on every rank where they differ or those of another rank are not in order. A rank whose
/// own are not returns. While it waits, what is open on the communicator goes on.
void require_agreement(const Arguments& arguments, bool valid, MPI_Comm comm, Progress& progress);

}  // namespace isotrope::mpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether all ranks of a communicator make the same call. Method: one reduction of ten numbers over all
// ranks, the maxima of every compared value and of its negative. Cost: that reduction.
#pragma once

#include <cstdint>
#include <mpi.h>

#include "isotrope/schedule/task.hpp"

#include "isotrope/mpi/progress_engine.hpp"

namespace isotrope::mpi {

/// The properties of a call that all ranks must agree on.
struct CallSignature {
  schedule::Collective collective = schedule::Collective::barrier;
  int root = 0;
  std::uint64_t bytes = 0;  ///< data in a block
  MPI_Op op = MPI_OP_NULL;
};

/// Compares the signatures of all ranks; all ranks must call it. Open collectives of `progress` advance
/// meanwhile.
/// @param valid whether this rank found its own arguments valid
/// @throws Failure on every rank with valid arguments if signatures differ or another rank has invalid
/// arguments. A rank with invalid arguments returns normally: it already has an error to report.
void require_agreement(const CallSignature& signature, bool valid, MPI_Comm comm, ProgressEngine& progress);

}  // namespace isotrope::mpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// GoogleTest on every rank of a job. Rank 0 prints all results, the other ranks their failures; one failure
// fails the job.
#pragma once

namespace isotrope::mpi {

/// All ranks must call this between MPI_Init and MPI_Finalize; they run the same tests in the same order.
/// @returns EXIT_SUCCESS or EXIT_FAILURE, the same on all ranks.
int run_tests_on_every_rank(int count, char** arguments);

}  // namespace isotrope::mpi

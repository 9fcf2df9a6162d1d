// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// GoogleTest on every rank of a job. Rank 0 prints all it does, the others what fails; one failure fails the
// job.
#pragma once

namespace isotrope::mpi {

/// Between MPI_Init and MPI_Finalize, by all ranks, which run the same tests in one order.
/// @returns EXIT_SUCCESS or EXIT_FAILURE, the same on all ranks.
int run_tests_on_every_rank(int count, char** arguments);

}  // namespace isotrope::mpi

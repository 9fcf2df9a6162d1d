// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The subcommands that run on the ranks of an MPI job, one a file. Rank 0 alone prints. Each returns the exit
// status, the same on all ranks.
#pragma once

#include "app/options.hpp"

namespace isotrope::app {

int mpi_run_command(const Options& options);
int mpi_bench_command(const Options& options);
int mpi_calibrate_command(const Options& options);

}  // namespace isotrope::app

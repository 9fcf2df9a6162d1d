// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The subcommands that run on the ranks of an MPI job, one per file. Only rank 0 prints. Each returns the exit
// status, the same on all ranks.
#pragma once

#include "app/options.hpp"

namespace isotrope::app {

int mpi_run_command(const RunOptions& options);
int mpi_bench_command(const BenchOptions& options);
int mpi_calibrate_command(const CalibrateOptions& options);

}  // namespace isotrope::app

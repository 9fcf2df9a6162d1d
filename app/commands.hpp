// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The commands, one per file. Each returns the exit status: 0, or 1 if a check failed; bad input throws Error.
#pragma once

#include <string_view>
#include <vector>

#include "app/options.hpp"

namespace isotrope::app {

int plan_command(const PlanOptions& options);
int verify_command(const VerifyOptions& options);
int bound_command(const BoundOptions& options);
int run_command(const RunOptions& options);
int network_command(const ShowNetworkOptions& options);
int catalog_command(const CatalogOptions& options);
int cost_command(const CostOptions& options);
int compare_algorithms_command(const CompareAlgorithmsOptions& options);
int reproduce_command(const ReproduceOptions& options);
int simulate_command(const SimulateOptions& options);
int choices_command(const ChoicesOptions& options);
int optimality_command(const OptimalityOptions& options);
int route_command(const RouteOptions& options);
int map_command(const MapOptions& options);
int draw_command(const DrawOptions& options);
int view_command(const ViewOptions& options);
int compare_command(const CompareOptions& options);
int export_command(const ExportOptions& options);
std::vector<std::string_view> export_formats();  ///< the names that --format takes
int machine_command(const MachineCheckOptions& options);
int completion_command(const CompletionOptions& options);
int manual_command(const ManualOptions& options);

// The commands that run on the ranks of an MPI job. Only rank 0 prints, and all ranks return the same status.

int mpi_run_command(const RunOptions& options);
int mpi_bench_command(const BenchOptions& options);
int mpi_calibrate_command(const CalibrateOptions& options);
int mpi_discover_command(const DiscoverOptions& options);

}  // namespace isotrope::app

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The subcommands, one a file. Each returns the exit status: 0, or 1 where a check failed; bad input throws
// Error.
#pragma once

#include "app/options.hpp"

namespace isotrope::app {

int plan_command(const Options& options);
int verify_command(const Options& options);
int bound_command(const Options& options);
int run_command(const Options& options);
int network_command(const Options& options);
int catalog_command(const Options& options);
int cost_command(const Options& options);
int compare_algorithms_command(const Options& options);
int reproduce_command(const Options& options);
int simulate_command(const Options& options);
int optimality_command(const Options& options);
int route_command(const Options& options);
int draw_command(const Options& options);
int compare_command(const Options& options);
int export_command(const Options& options);

}  // namespace isotrope::app

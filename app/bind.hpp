// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// How the options of every command are spelt: bind(app, options) declares them to the parser, which then fills
// `options`. A command accepts what applies to it and nothing else; values are read, with their units, while the
// command line is parsed.
#pragma once

#include "app/options.hpp"

namespace CLI {
class App;
}

namespace isotrope::app {

void bind(CLI::App& app, PlanOptions& options);
void bind(CLI::App& app, VerifyOptions& options);
void bind(CLI::App& app, BoundOptions& options);
void bind(CLI::App& app, RunOptions& options);
void bind(CLI::App& app, ShowNetworkOptions& options);
void bind(CLI::App& app, CatalogOptions& options);
void bind(CLI::App& app, CostOptions& options);
void bind(CLI::App& app, CompareAlgorithmsOptions& options);
void bind(CLI::App& app, ReproduceOptions& options);
void bind(CLI::App& app, SimulateOptions& options);
void bind(CLI::App& app, CompareOptions& options);
void bind(CLI::App& app, OptimalityOptions& options);
void bind(CLI::App& app, RouteOptions& options);
void bind(CLI::App& app, DrawOptions& options);
void bind(CLI::App& app, ExportOptions& options);
void bind(CLI::App& app, BenchOptions& options);
void bind(CLI::App& app, CalibrateOptions& options);

}  // namespace isotrope::app

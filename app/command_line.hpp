// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The command line: a program is a table of commands, each with options of its own type.
//
//     isotrope COMMAND [OPTIONS]        isotrope help [COMMAND]        isotrope version
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "app/options.hpp"

namespace CLI {
class App;
}

namespace isotrope::app {

// Each bind(app, options) declares the options of a command to the parser, which then fills `options`. A command
// accepts what applies to it and nothing else. The parser reads values, with their units, as it parses the command
// line.

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
void bind(CLI::App& app, ChoicesOptions& options);
void bind(CLI::App& app, OptimalityOptions& options);
void bind(CLI::App& app, RouteOptions& options);
void bind(CLI::App& app, MapOptions& options);
void bind(CLI::App& app, DrawOptions& options);
void bind(CLI::App& app, ViewOptions& options);
void bind(CLI::App& app, ExportOptions& options);
void bind(CLI::App& app, BenchOptions& options);
void bind(CLI::App& app, CalibrateOptions& options);
void bind(CLI::App& app, MachineCheckOptions& options);
void bind(CLI::App& app, DiscoverOptions& options);
void bind(CLI::App& app, CompletionOptions& options);
void bind(CLI::App& app, ManualOptions& options);

/// Runs a command with the options that were given. Returns the exit status: 0, or 1 if a check failed.
/// @throws Error for bad input.
using CommandCall = std::function<int()>;

struct CommandEntry {
  const char* name;
  const char* alias;  ///< a second name, or empty
  const char* summary;
  const char* example;
  std::function<CommandCall(CLI::App&)> bind_to;  ///< declares the options to the parser
};

/// An entry for the function that runs the command; Options is a struct of options.hpp.
template <class Options>
CommandEntry entry(const char* name, const char* summary, const char* example, int (*run)(const Options&),
                   const char* alias = "") {
  const auto bind_to = [run](CLI::App& app) {
    const auto options = std::make_shared<Options>();
    bind(app, *options);
    return [options, run] { return run(*options); };
  };
  return {name, alias, summary, example, bind_to};
}

struct ProgramDescription {
  const char* summary;
  std::string (*version)();  ///< what --version prints
  const char* footer;        ///< of the help of the whole program
};

/// The command that the arguments name, with its options; empty after printing help or version.
/// @throws Error for arguments that no command takes, with the nearest option or command.
CommandCall named_command(const ProgramDescription& program, std::span<const CommandEntry> commands, int argc,
                          const char* const* argv);

}  // namespace isotrope::app

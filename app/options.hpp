// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The options of the commands, with types: a struct per command, made of the groups of options that apply to it.
// Missing options are empty. Names (of networks, collectives, algorithms, ports) stay text until the network that
// gives them a meaning is known. bind.cpp has the spelling of every option.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isotrope/planner/catalog.hpp"

#include "app/command_tree.hpp"

namespace isotrope::app {

// Groups

/// A machine file: its times, and its network, failures and ranks if it gives them.
struct MachineFileOptions {
  std::string machine;
};

struct NetworkOptions : MachineFileOptions {
  std::string subject;  ///< positional: a plan file or the name of a network
  std::string
      network;  ///< this and the positional stand for the network of the machine file, with its failures and ranks
  std::string failed_nodes;
  std::string failed_links;
};

/// The problem that a command plans or bounds.
struct ProblemOptions : NetworkOptions {
  std::string collective;
  std::optional<std::uint64_t> root;
  std::string ports;
  std::optional<std::uint64_t> parts;
  std::optional<std::uint64_t> merge;  ///< schedule::unbounded for all
  std::string counts;                  ///< a file with the sizes of unequal blocks
};

/// The first goal of a plan: fewest rounds; then least mean delay; or fewest rounds in which packets never wait.
enum class Objective { completion, delay, no_wait };

/// The choices of planning.
struct PlanningOptions : ProblemOptions {
  std::optional<std::uint64_t> bytes;  ///< MPI's count times the size of its type (payload.hpp)
  std::optional<std::uint64_t> packet;
  std::string algorithm;
  std::string order;
  Objective objective = Objective::completion;
  std::optional<schedule::StepLimits> pack;  ///< steps of limited sends and loads
  std::optional<std::uint64_t> search_seed;
  std::optional<double> time_limit;  ///< seconds, above 0
};

/// Times, which override those of the machine file.
struct MachineOptions {
  std::optional<double> startup;    ///< seconds
  std::optional<double> byte_time;  ///< seconds
  std::optional<std::uint64_t> internal_packet;
  std::optional<double> overlap;   ///< 0..1
  std::optional<double> overhead;  ///< seconds
};

struct OutputOptions {
  std::string output;  ///< a file, of reproduce and of some exports a folder
  bool json = false;
};

/// Of commands that run as MPI jobs.
struct JobOptions {
  std::string ranks;  ///< a rank map file
};

/// A range of sizes.
struct SizeRangeOptions {
  std::optional<std::uint64_t> from;
  std::optional<std::uint64_t> upto;
};

// Commands

struct PlanOptions : PlanningOptions, MachineOptions, OutputOptions {
  bool associative = false;  ///< as planner::Preferences::associative
  bool explain = false;      ///< list all candidates
};

struct VerifyOptions : PlanningOptions, OutputOptions {
  std::string with;  ///< a second checker, to be run on the plan file
};

struct BoundOptions : ProblemOptions, MachineOptions, OutputOptions {
  std::optional<std::uint64_t> bytes;  ///< MPI's count times the size of its type: the bound in seconds too
};

enum class Backend { threads, mpi };

struct RunOptions : PlanningOptions, JobOptions, OutputOptions {
  Backend backend = Backend::threads;
  std::optional<std::uint64_t> threads;
  std::string type;
  std::string operation;
};

struct ShowNetworkOptions : NetworkOptions, OutputOptions {
  std::optional<std::uint64_t> node;
  std::optional<std::uint64_t> to;
};

struct CatalogOptions : ProblemOptions, OutputOptions {
  bool networks = false;  ///< list the TPU slices instead of algorithms
};

struct CostOptions : PlanningOptions, MachineOptions, OutputOptions {};

struct CompareAlgorithmsOptions : ProblemOptions, SizeRangeOptions, MachineOptions, OutputOptions {
  std::string algorithms;    ///< names between commas; empty: all
  bool associative = false;  ///< as planner::Preferences::associative
};

struct ReproduceOptions : MachineFileOptions, MachineOptions, OutputOptions {
  std::string name;
  bool all = false;
};

struct SimulateOptions : ProblemOptions, MachineOptions, OutputOptions {
  std::optional<std::uint64_t> bytes;  ///< of a block: times in seconds instead of rounds
  std::string policy;                  ///< empty for the default
  std::uint64_t seed = 1;
  std::uint64_t runs = 10;
};

struct CompareOptions : OutputOptions {
  std::vector<std::string> names;  ///< of networks and other architectures
};

struct ChoicesOptions : OutputOptions {
  std::string file;
};

struct OptimalityOptions : OutputOptions {
  std::vector<std::string> names;  ///< of networks
};

struct RouteOptions : NetworkOptions, OutputOptions {
  std::vector<std::string> ends;  ///< two nodes, or one if the other is in `subject`
};

struct MapOptions : NetworkOptions, OutputOptions {
  std::string grid;   ///< "8x4"
  std::string open;   ///< axes of the grid between commas, or "all"
  std::string ranks;  ///< a rank map file
};

struct DrawOptions : PlanningOptions, OutputOptions {
  std::string route;  ///< FROM:TO
  std::optional<std::uint64_t> round;
  bool animate = false;
};

struct ViewOptions : PlanningOptions, OutputOptions {
  std::string gallery;  ///< a new folder
};

struct ExportOptions : PlanningOptions, OutputOptions {
  std::string format;
};

/// Without a collective and counts, all of MPI's with equal blocks.
struct BenchOptions : ProblemOptions, JobOptions, SizeRangeOptions, MachineOptions, OutputOptions {
  std::uint64_t runs = 9;
};

struct CalibrateOptions : NetworkOptions, JobOptions, OutputOptions {};

/// `isotrope machine check FILE`.
struct MachineCheckOptions : MachineFileOptions, OutputOptions {
  std::string action;
};

/// `isotrope completion SHELL`.
struct CompletionOptions {
  std::string shell;
  CommandTree tree;  ///< the program's own
};

/// `isotrope manual [COMMAND]`.
struct ManualOptions {
  std::string command;  ///< empty: the page of the whole program
  std::string output;   ///< a folder for all pages
  CommandTree tree;     ///< the program's own
};

struct DiscoverOptions : OutputOptions {
  std::optional<double> time_limit;  ///< seconds, above 0
  bool every_rank = false;           ///< take every rank as a host of its own
};

}  // namespace isotrope::app

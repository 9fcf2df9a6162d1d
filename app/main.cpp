// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The program `isotrope`. Exit status: 0, 1 where a check failed, 2 on bad usage or bad input (one line on
// stderr).
#include <algorithm>
#include <array>
#include <cstdio>
#include <new>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "app/commands.hpp"
#include "app/interrupt.hpp"
#include "app/machine.hpp"
#include "app/mpi_backend.hpp"

namespace {

using isotrope::app::Options;

struct Command {
  const char* name;
  const char* summary;
  int (*run)(const Options&);
  const char* example;
};

constexpr std::array commands{
    Command{"plan", "Plan a collective, prove it, write the plan", isotrope::app::plan_command,
            "isotrope plan --network hypercube:10 --collective alltoall -o plan.cbor"},
    Command{"verify", "Check a plan file, or a plan made on the spot, with the independent checker",
            isotrope::app::verify_command, "isotrope verify plan.cbor"},
    Command{"bound", "Print the lower bounds on the rounds of a collective, with reasons",
            isotrope::app::bound_command,
            "isotrope bound --network torus:4x4x8 --collective alltoall --ports one"},
    Command{"run", "Execute a plan on real buffers in this process and check every byte",
            isotrope::app::run_command,
            "isotrope run --network hypercube:6 --collective alltoall --bytes 64KiB"},
    Command{"network", "Print the numbers of a network", isotrope::app::network_command,
            "isotrope network hexmesh:4 --node 11 --to 5"},
    Command{"catalog", "List the algorithms, their sources and claims", isotrope::app::catalog_command,
            "isotrope catalog --network hypercube:6 --collective scatter"},
    Command{
        "cost", "Predict how long a plan takes on a machine, message by message", isotrope::app::cost_command,
        "isotrope cost --network hypercube:6 --collective broadcast --ports one --bytes 60KiB --packet 1KiB"},
    Command{
        "compare-algorithms", "Predict the time of every algorithm over a range of block sizes",
        isotrope::app::compare_algorithms_command,
        "isotrope compare-algorithms --network hypercube:6 --collective broadcast --ports one -o times.svg"},
    Command{"reproduce", "Measure the papers' tables and figures again, beside what they print",
            isotrope::app::reproduce_command, "isotrope reproduce --all"},
    Command{
        "simulate", "Route packets online, by a rule instead of a plan, over many seeds",
        isotrope::app::simulate_command,
        "isotrope simulate --network hypercube:6 --collective alltoall --policy symmetric-random --runs 100"},
    Command{"compare", "Compare architectures: their graphs, and the rounds of collectives on them",
            isotrope::app::compare_command, "isotrope compare hypercube:7 hexmesh:7 torus:11x11 star:127"},
    Command{"optimality", "Table which collectives are planned optimally on which networks",
            isotrope::app::optimality_command, "isotrope optimality -o docs/optimality.md"},
    Command{"route", "Show a shortest route between two nodes, around failures where there are some",
            isotrope::app::route_command, "isotrope route hexmesh:4 11 5 --failed-nodes 21"},
    Command{"draw", "Draw a network, with a route or the hops of a plan", isotrope::app::draw_command,
            "isotrope draw hexmesh:4 --route 11:5 -o route.svg"},
    Command{"export", "Write a network or a verified plan in the format of another program",
            isotrope::app::export_command,
            "isotrope export --network hypercube:3 --collective allgather --format msccl -o allgather.xml"},
    Command{"bench", "Time collectives over MPI beside those of the MPI library",
            isotrope::app::hand_over_to_mpi,
            "mpirun -n 16 isotrope bench --network hypercube:4 --collective allreduce"},
    Command{"calibrate", "Measure what messages cost over MPI, for a machine file",
            isotrope::app::hand_over_to_mpi,
            "mpirun -n 16 isotrope calibrate --network hypercube:4 -o machine.json"},
};

constexpr const char* footer =
    "Networks:    hypercube:6  torus:4x4x8  ring:9  hexmesh:4  twisted-torus:4x4x8  twisted-torus:8,0/3,8\n"
    "             circulant:13:1,5  complete:8  cayley:4x6:1,0/3,0/0,1/0,5\n"
    "Collectives: broadcast scatter gather reduce allgather alltoall reduce-scatter allreduce barrier\n"
    "             neighborhood:1:2  isotropic:FILE (relative destination, blocks)  task:FILE (source, "
    "destination, "
    "blocks)\n"
    "Exit status: 0, 1 where a check failed, 2 on bad usage or bad input\n"
    "Try:         isotrope run --network hypercube:6 --collective alltoall --bytes 64KiB";

void add_output_options(CLI::App& command, Options& options, const char* type, const char* what) {
  command.add_option("-o,--output", options.output, what)->type_name(type);
  command.add_flag("--json", options.json, "Print one JSON object on stdout");
}

void add_reproduce_options(CLI::App& command, Options& options) {
  command.add_option("NAME", options.subject, "A table or figure; without it and --all, a list of them");
  command.add_flag("--all", options.all, "All of them");
  isotrope::app::add_machine_options(command, options);
  command
      .add_option("-o,--output", options.output, "Write tables (.txt) and figures (.csv, .svg) into FOLDER")
      ->type_name("FOLDER");
  command.add_flag("--json", options.json, "Print one JSON object on stdout");
}

void add_choice_options(CLI::App& command, Options& options) {
  command.add_flag("--explain", options.explain,
                   "Tell all candidates for blocks of --bytes and why one was chosen");
  isotrope::app::add_machine_options(command, options);
}

void add_comparison_options(CLI::App& command, Options& options) {
  command.add_option("--from", options.from, "The smallest block (default 64 B)")->type_name("SIZE");
  command.add_option("--upto", options.upto, "The largest block (default 16 MiB)")->type_name("SIZE");
  isotrope::app::add_machine_options(command, options);
}

void add_simulation_options(CLI::App& command, Options& options) {
  command
      .add_option("--policy", options.policy,
                  "random, oldest, nearest, farthest, largest-residual, or symmetric-... (the default is "
                  "symmetric-largest-residual)")
      ->type_name("NAME");
  command.add_option("--seed", options.seed, "The first seed (default 1)")->type_name("S");
  command.add_option("--runs", options.runs, "Runs, from as many seeds (default 10)")->type_name("R");
}

void add_reduction_options(CLI::App& command, Options& options) {
  command
      .add_option("--type", options.type,
                  "Type that a reduction combines: byte (default), int8..int64, uint8..uint64, float, double")
      ->type_name("TYPE");
  command
      .add_option("--op", options.operation,
                  "Its operation: sum (default), prod, max, min, land, band, lor, bor, lxor, bxor")
      ->type_name("OP");
}

void add_architecture_options(CLI::App& command, Options& options) {
  command.add_option(
      "NAME", options.names,
      "Networks, and binary-tree:K, star:P, chordal-ring:P:W; without any, those of Table I of\n"
      "Chen, Shin and Kandlur 1990");
  add_output_options(command, options, "FILE", "Write the table to FILE");
}

void add_drawing_options(CLI::App& command, Options& options) {
  command.add_option("--route", options.route, "Highlight a shortest route")->type_name("FROM:TO");
  command.add_option("--round", options.round, "Of a plan, show this round only")->type_name("T");
}

void add_export_options(CLI::App& command, Options& options) {
  command
      .add_option(
          "--format", options.format,
          "Of a network: simgrid (platform), dot, csv. Of a plan: ti (SimGrid traces), goal (LogGOPSim),\n"
          "msccl, chakra, dot, csv. -o names a file, for ti and chakra a new folder")
      ->type_name("NAME");
}

void add_route_options(CLI::App& command, Options& options) {
  command.add_option("NETWORK", options.network, "The network: hypercube:6, torus:4x4x8, hexmesh:4, ...")
      ->required();
  command.add_option("FROM", options.from, "The node the route starts from")->required();
  command.add_option("TO", options.to, "The node it leads to")->required();
  isotrope::app::add_failure_options(command, options);
  add_output_options(command, options, "FILE", "Write the answer to FILE");
}

void add_commands(CLI::App& program, Options& options) {
  for (const Command& command : commands) {
    CLI::App* sub = program.add_subcommand(command.name, command.summary);
    sub->footer(fmt::format("Example: {}", command.example));
    const std::string name = command.name;
    if (name == "reproduce") {
      add_reproduce_options(*sub, options);
      continue;
    }
    if (name == "compare") {
      add_architecture_options(*sub, options);
      continue;
    }
    if (name == "route") {
      add_route_options(*sub, options);
      continue;
    }
    if (name == "optimality") {
      add_output_options(*sub, options, "FILE", "Write the table to FILE");
      continue;
    }
    add_common_options(*sub, options);
    if (name == "cost") isotrope::app::add_machine_options(*sub, options);
    if (name == "plan") add_choice_options(*sub, options);
    if (name == "compare-algorithms") add_comparison_options(*sub, options);
    if (name == "simulate") add_simulation_options(*sub, options);
    if (name == "draw") add_drawing_options(*sub, options);
    if (name == "export") add_export_options(*sub, options);
    if (name == "network") {
      sub->add_option("--node", options.node, "Show this node: coordinates and neighbours")
          ->type_name("NODE");
      sub->add_option("--to", options.to, "Show the distance to this node")->type_name("NODE");
    }
    if (name == "run") {
      sub->add_option("--threads", options.threads, "Threads that carry the nodes (default: one a core)")
          ->type_name("T");
      sub->add_option("--backend", options.backend,
                      "threads (default), or mpi: the ranks of the MPI job that mpirun has started")
          ->type_name("NAME");
      add_reduction_options(*sub, options);
    }
    if (name == "bench" || name == "calibrate") isotrope::app::add_mpi_options(*sub, options);
  }
}

int fail(const std::string& message) {
  fmt::print(stderr, "isotrope: {}\n", message.substr(0, message.find('\n')));
  return 2;
}

// A first word that is no subcommand deserves a better answer than CLI11's.
std::string usage_error(const std::string& message, int argc, char** argv) {
  if (argc < 2) return "no subcommand: `isotrope --help` lists them";
  std::vector<std::string_view> names;
  for (const Command& command : commands) names.emplace_back(command.name);
  const std::string_view given = argv[1];
  if (!given.starts_with('-') && std::find(names.begin(), names.end(), given) == names.end()) {
    return fmt::format("unknown subcommand '{}': {}", given, isotrope::name_hint(given, names));
  }
  return fmt::format("{} (`isotrope {} --help` shows the options)", message,
                     given.starts_with('-') ? "" : given);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App program("Collective communication on symmetric direct networks: planned, proved, executed.",
                   "isotrope");
  program.set_version_flag("--version", "isotrope " ISOTROPE_VERSION);
  program.require_subcommand(1);
  program.footer(footer);
  Options options;
  options.arguments.assign(argv, argv + argc);
  add_commands(program, options);
  try {
    program.parse(argc, argv);
    for (const Command& command : commands) {
      if (program.got_subcommand(command.name)) return command.run(options);
    }
  } catch (const CLI::Success& wanted) {
    return program.exit(wanted);
  } catch (const CLI::ParseError& error) {
    return fail(usage_error(error.what(), argc, argv));
  } catch (const isotrope::Error& error) {
    return fail(error.what());
  } catch (const isotrope::app::Interrupted& interrupted) {
    isotrope::app::end_by(interrupted);
  } catch (const std::bad_alloc&) {
    return fail("not enough memory for this plan: choose a smaller network or fewer parts");
  }
  return 0;
}

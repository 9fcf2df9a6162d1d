// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/local/run.hpp"

#include "app/command_line.hpp"
#include "app/values.hpp"

namespace isotrope::app {
namespace {

constexpr const char* network_group = "Network";
constexpr const char* collective_group = "Collective";
constexpr const char* machine_group = "Machine";
constexpr const char* output_group = "Output";

// How an option looks in the help.
struct Shown {
  const char* type;
  const char* group;
  const char* what;
};

// An option whose text `read(option, text)` turns into the value of `target` as the command line is parsed.
template <class Target, class Read>
CLI::Option* add(CLI::App& app, const std::string& names, Target& target, const Read& read,
                 const Shown& shown) {
  const std::string option = names.substr(0, names.find(','));
  return app
      .add_option_function<std::string>(
          names, [option, read, &target](const std::string& text) { target = read(option, text); },
          shown.what)
      ->type_name(shown.type)
      ->group(shown.group);
}

CLI::Option* add_text(CLI::App& app, const std::string& names, std::string& target, const Shown& shown) {
  return add(app, names, target, text_value, shown);
}

CLI::Option* add_positional(CLI::App& app, const char* name, std::string& target, const char* what) {
  return app.add_option(name, target, what)->type_name("");
}

auto up_to(std::uint64_t most) {
  return
      [most](const std::string& option, const std::string& text) { return count_value(option, text, most); };
}

// Reads one of two words.
template <class Value>
auto either(const char* first, Value first_value, const char* second, Value second_value) {
  return [=](const std::string& option, const std::string& text) {
    if (text == first) return first_value;
    if (text == second) return second_value;
    throw Error(fmt::format("{} {}: give {} or {}", option, text, first, second));
  };
}

Objective objective_value(const std::string& option, const std::string& text) {
  if (text == "completion") return Objective::completion;
  if (text == "delay") return Objective::delay;
  if (text == "no-wait") return Objective::no_wait;
  throw Error(fmt::format("{} {}: give completion, delay or no-wait", option, text));
}

schedule::StepLimits step_limits_value(const std::string& option, const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos)
    throw Error(fmt::format("{} {}: give two numbers, SENDS,LOAD, as in {} 6,3", option, text, option));
  const auto limit = [&](const std::string& number) {
    const std::uint64_t value = count_value(option, number, UINT32_MAX);
    if (value == 0) throw Error(fmt::format("{} {}: give 1 or more", option, text));
    return static_cast<std::uint32_t>(value);
  };
  return {limit(text.substr(0, comma)), limit(text.substr(comma + 1))};
}

// An option that users of other commands expect: hidden, and refused with the reason.
void refuse(CLI::App& app, const char* name, const std::string& reason) {
  const auto fail = [reason](const std::string&) { throw Error(reason); };
  app.add_option_function<std::string>(name, fail)->group("");
}

void refuse_flag(CLI::App& app, const char* name, const std::string& reason) {
  app.add_flag_callback(name, [reason] { throw Error(reason); })->group("");
}

void refuse_failures(CLI::App& app, const char* pattern) {
  for (const char* option : {"--failed-nodes", "--failed-links"})
    refuse(app, option, fmt::format(fmt::runtime(pattern), option));
}

// Groups

void add_machine_file(CLI::App& app, MachineFileOptions& options, const char* group, const char* what) {
  add_text(app, "--machine", options.machine, {"FILE", group, what});
}

void add_network(CLI::App& app, NetworkOptions& options, const char* positional, const char* what) {
  add_positional(app, positional, options.subject, what);
  add_text(app, "--network", options.network,
           {"NAME", network_group, "Network: hypercube:6, mesh:4x8, FILE.json, ... (`isotrope --help`)"});
  const auto slice = [&options](const std::string& option, const std::string& name) {
    if (options.network.empty()) return "tpu:" + name;
    throw Error(fmt::format("two networks, {} {} and --network {}: give one", option, name, options.network));
  };
  add(app, "--tpu", options.network, slice, {"SLICE", "", "As --network tpu:SLICE"});
  add_machine_file(app, options, network_group,
                   "Machine: its times, and without --network its network and failures");
}

void add_failures(CLI::App& app, NetworkOptions& options) {
  add_text(app, "--failed-nodes", options.failed_nodes,
           {"LIST", network_group, "Nodes that have failed: 5,12"});
  add_text(app, "--failed-links", options.failed_links,
           {"LIST", network_group, "Links that have failed, as NODE-NODE or NODE:PORT: 3-4,7:0"});
}

void add_collective(CLI::App& app, std::string& collective) {
  add_text(app, "--collective", collective,
           {"NAME", collective_group, "Collective: alltoall, allgather, scatter, ... (`isotrope --help`)"});
}

CLI::Option* add_counts(CLI::App& app, ProblemOptions& options) {
  return add_text(app, "--counts", options.counts,
                  {"FILE", collective_group, "Sizes of unequal blocks (lines: source, destination, bytes)"});
}

CLI::Option* add_root(CLI::App& app, ProblemOptions& options) {
  return add(app, "--root", options.root, whole_value,
             {"NODE", collective_group, "Root of a rooted collective (default 0)"});
}

void add_ports(CLI::App& app, ProblemOptions& options) {
  add_text(app, "--ports", options.ports,
           {"all|K|one|half", collective_group, "Ports that a node uses in a round (default all)"});
}

CLI::Option* add_parts(CLI::App& app, ProblemOptions& options) {
  return add(app, "--parts,--packets", options.parts, whole_value,
             {"P", collective_group, "Split each block into P equal packets (default 1)"});
}

CLI::Option* add_merge(CLI::App& app, ProblemOptions& options) {
  const auto read = [](const std::string& option, const std::string& text) {
    if (text == "all") return planner::unbounded;
    if (text != "0") return whole_value(option, text);
    throw Error("--merge 0: give the most packets that travel as one message, 1 or more, or 'all'");
  };
  return add(app, "--merge", options.merge, read,
             {"K|all", collective_group, "Combine up to K packets for the same neighbour into one message"});
}

void add_algorithm(CLI::App& app, PlanningOptions& options) {
  add_text(app, "--algorithm", options.algorithm,
           {"NAME", collective_group, "Algorithm, from `isotrope catalog` (default: the best)"});
  add_text(
      app, "--order", options.order,
      {"NAME", collective_group, "Root's order in scatter or gather: descending, postorder, cyclic, ..."});
  add(app, "--objective", options.objective, objective_value,
      {"NAME", collective_group, "completion (default); delay: least mean delay; no-wait: no stops"});
  add(app, "--pack", options.pack, step_limits_value,
      {"SENDS,LOAD", collective_group, "Steps of so many packets of a node and on a link, with barriers"});
  add(app, "--search-seed", options.search_seed, up_to(UINT32_MAX),
      {"S", collective_group, "Seed of algorithms that search (default 1)"});
  add(app, "--time-limit", options.time_limit, time_limit_value,
      {"TIME", collective_group, "Search for so long, or until the bound is met"});
}

CLI::Option* add_associative(CLI::App& app, bool& associative) {
  return app
      .add_flag("--associative", associative,
                "Also allreduces whose nodes add in different orders, as for integers")
      ->group(collective_group);
}

// The options that --packet excludes.
struct Division {
  CLI::Option* parts;
  CLI::Option* merge;
};

Division add_problem(CLI::App& app, ProblemOptions& options) {
  add_network(app, options, "PLAN", "A network, or a plan file (.json, .cbor) with its collective");
  add_failures(app, options);
  add_collective(app, options.collective);
  add_root(app, options);
  add_ports(app, options);
  return {add_parts(app, options), add_merge(app, options)};
}

// Refuses the options of `needing` without one of the two others.
void require_one_of(CLI::App& app, const CLI::Option& first, const CLI::Option& second,
                    std::vector<CLI::Option*> needing) {
  app.parse_complete_callback([&first, &second, needing = std::move(needing)] {
    if (first.count() + second.count() > 0) return;
    for (const CLI::Option* option : needing) {
      if (option->count() > 0)
        throw CLI::RequiresError(option->get_name(), first.get_name() + " or " + second.get_name());
    }
  });
}

CLI::Option* add_planning(CLI::App& app, PlanningOptions& options) {
  const auto [parts, merge] = add_problem(app, options);
  add_algorithm(app, options);
  CLI::Option* const bytes =
      add(app, "--bytes", options.bytes, size_value,
          {"SIZE", collective_group, "Size: of the vector of broadcast, (all)reduce, scan; else of a block"});
  add(app, "--packet", options.packet, size_value,
      {"SIZE", collective_group, "Size of a packet, instead of --parts and --merge"})
      ->needs(bytes)
      ->excludes(parts)
      ->excludes(merge);
  return bytes;
}

std::vector<CLI::Option*> add_machine(CLI::App& app, MachineOptions& options) {
  return {add(app, "--startup,--tau", options.startup, seconds_value,
              {"TIME", machine_group, "Start-up time per message: 2us, 1.7ms, 0.005"}),
          add(app, "--byte-time,--tc", options.byte_time, seconds_value,
              {"TIME", machine_group, "Time per byte over a link: 0.1ns, 2.8us"}),
          add(app, "--internal-packet", options.internal_packet, size_value,
              {"SIZE", machine_group, "Most bytes per start-up; longer messages pay for several"}),
          add(app, "--overlap", options.overlap, fraction_value,
              {"F", machine_group, "Fraction (0..1) of a send or receive that can overlap other ports'"}),
          add(app, "--overhead", options.overhead, seconds_value,
              {"TIME", machine_group, "Time per message that keeps the sender's processor busy: 0.5us"})};
}

void add_output(CLI::App& app, OutputOptions& options, const char* type, const char* what) {
  add(app, "-o,--output", options.output, output_value, {type, output_group, what});
}

// -o and --json.
void add_answer(CLI::App& app, OutputOptions& options, const char* what = "Write the output to FILE",
                const char* type = "FILE") {
  add_output(app, options, type, what);
  app.add_flag("--json", options.json, "Print one JSON object on stdout")->group(output_group);
}

constexpr const char* plan_file = "Write the plan to FILE (.json or .cbor)";

void add_ranks(CLI::App& app, JobOptions& options, const char* group) {
  add_text(app, "--ranks", options.ranks,
           {"FILE", group, "Rank map: a line a rank with its node (default: rank r is node r)"});
}

void add_size_range(CLI::App& app, SizeRangeOptions& options, const char* least, const char* most) {
  add(app, "--from", options.from, size_value, {"SIZE", collective_group, least});
  add(app, "--upto", options.upto, size_value, {"SIZE", collective_group, most});
}

// The parser does not outlive the parsing, so the command keeps what the parser knows.
void add_tree(CLI::App& app, CommandTree& tree) {
  app.parse_complete_callback([&app, &tree] { tree = command_tree(*app.get_parent()); });
}

}  // namespace

// Commands

void bind(CLI::App& app, PlanOptions& options) {
  CLI::Option* const bytes = add_planning(app, options);
  CLI::Option* const counts = add_counts(app, options)->excludes(bytes)->excludes(app.get_option("--parts"));
  std::vector<CLI::Option*> sized = add_machine(app, options);
  sized.push_back(app.get_option("--packet"));
  sized.back()->remove_needs(bytes);
  sized.push_back(add_associative(app, options.associative));
  sized.push_back(app.add_flag("--explain", options.explain, "List all candidates and why one was chosen")
                      ->group(output_group));
  require_one_of(app, *bytes, *counts, sized);
  add_answer(app, options, plan_file);
}

void bind(CLI::App& app, VerifyOptions& options) {
  add_problem(app, options);
  add_algorithm(app, options);
  add_text(app, "--with", options.with,
           {"PROGRAM", "Checking", "Run a second checker on the plan file too (docs/proof.md)"});
  add_answer(app, options, plan_file);
}

void bind(CLI::App& app, BoundOptions& options) {
  add_problem(app, options);
  CLI::Option* const bytes = add(app, "--bytes", options.bytes, size_value,
                                 {"SIZE", collective_group, "Size, as of plan: the bound in seconds too"});
  add_counts(app, options)->excludes(bytes);
  for (CLI::Option* const time : add_machine(app, options)) time->needs(bytes);
  add_answer(app, options);
}

void bind(CLI::App& app, RunOptions& options) {
  add_planning(app, options)->required();
  constexpr const char* group = "Execution";
  add(app, "--backend", options.backend, either("threads", Backend::threads, "mpi", Backend::mpi),
      {"NAME", group, "threads (default), or mpi: the ranks that mpirun has started"});
  add(app, "--threads", options.threads, up_to(local::most_threads),
      {"T", group, "Threads that carry the nodes (default: one per core)"});
  add_ranks(app, options, group);
  add_text(app, "--type", options.type,
           {"TYPE", group, "Type of a reduction: byte (default), int8..uint64, float, double"});
  add_text(app, "--op", options.operation,
           {"OP", group, "Operation: sum (default), prod, max, min, land, band, lor, bor, ..."});
  add_answer(app, options, plan_file);
}

void bind(CLI::App& app, ShowNetworkOptions& options) {
  add_network(app, options, "NAME", "The network, or a plan file");
  refuse_failures(app, "network does not support {}: it describes the whole network, without failures");
  add(app, "--node", options.node, whole_value,
      {"NODE", network_group, "Show this node: coordinates and neighbours"});
  add(app, "--to", options.to, whole_value,
      {"NODE", network_group, "Show the distance from --node to this node"});
  add_answer(app, options);
}

void bind(CLI::App& app, CatalogOptions& options) {
  add_network(app, options, "NAME", "List only what applies to this network, or to that of a plan file");
  refuse_failures(app, "catalog ignores failures; drop {}");
  add_collective(app, options.collective);
  add_ports(app, options);
  app.add_flag("--networks", options.networks, "List the published TPU slices and their networks instead")
      ->group(output_group);
  add_answer(app, options);
}

void bind(CLI::App& app, CostOptions& options) {
  add_planning(app, options)->required();
  add_machine(app, options);
  add_answer(app, options, plan_file);
}

void bind(CLI::App& app, CompareAlgorithmsOptions& options) {
  add_network(app, options, "NAME", "The network, instead of --network");
  add_failures(app, options);
  add_collective(app, options.collective);
  add_root(app, options);
  add_ports(app, options);
  add_text(app, "--algorithms", options.algorithms,
           {"NAMES", collective_group, "Only these, as in swing,bucket (default: all that apply)"});
  add_associative(app, options.associative);
  add_size_range(app, options, "Smallest size, as --bytes of plan (default 64 B)",
                 "Largest size (default 16 MiB)");
  add_machine(app, options);
  add_answer(app, options, "Write the table to FILE, or a picture to FILE.svg or FILE.csv");
}

void bind(CLI::App& app, ReproduceOptions& options) {
  add_positional(app, "NAME", options.name, "A table or figure (without NAME and --all: list them)");
  app.add_flag("--all", options.all, "All tables and figures");
  add_machine_file(app, options, machine_group,
                   "Read the machine from FILE; options given here override its values");
  add_machine(app, options);
  add_answer(app, options, "Write tables (.txt) and figures (.csv, .svg) into FOLDER", "FOLDER");
}

void bind(CLI::App& app, SimulateOptions& options) {
  constexpr std::uint64_t most_runs = 1'000'000;
  add_network(app, options, "NAME", "The network, instead of --network");
  add_failures(app, options);
  add_collective(app, options.collective);
  add_ports(app, options);
  add_parts(app, options);
  CLI::Option* const bytes =
      add(app, "--bytes", options.bytes, size_value,
          {"SIZE", collective_group, "Size of a block: seconds by the times of the links, not rounds"});
  for (CLI::Option* const time : add_machine(app, options)) time->needs(bytes);
  constexpr const char* group = "Simulation";
  add_text(app, "--policy", options.policy,
           {"NAME", group,
            "random, oldest, nearest, farthest, largest-residual, or symmetric-...\n"
            "(default symmetric-largest-residual, or without symmetric-\n"
            "around failures and on open axes)"});
  add(app, "--seed", options.seed, whole_value, {"S", group, "First seed (default 1)"});
  add(app, "--runs", options.runs, up_to(most_runs), {"R", group, "Runs, one per seed (default 10)"});
  add_answer(app, options);
}

void bind(CLI::App& app, CompareOptions& options) {
  app.add_option("NAME", options.names,
                 "Networks, and binary-tree:K, star:P, chordal-ring:P:W\n"
                 "(default: those of Table I of Chen, Shin and Kandlur 1990)")
      ->type_name("");
  add_answer(app, options);
}

void bind(CLI::App& app, ChoicesOptions& options) {
  add_positional(app, "FILE", options.file, "A file that the drop-in has written by ISOTROPE_CHOICES=FILE")
      ->required();
  add_answer(app, options);
}

void bind(CLI::App& app, OptimalityOptions& options) {
  app.add_option("NETWORK", options.names, "Networks (default: those of docs/optimality.md)")->type_name("");
  add_answer(app, options);
}

void bind(CLI::App& app, RouteOptions& options) {
  add_network(app, options, "NETWORK", "The network, instead of --network");
  app.add_option("FROM TO", options.ends, "The nodes where the route begins and ends")->type_name("");
  add_failures(app, options);
  add_answer(app, options);
}

void bind(CLI::App& app, MapOptions& options) {
  add_network(app, options, "NAME", "The network, instead of --network");
  constexpr const char* group = "Program";
  add_text(app, "--grid", options.grid, {"AxBxC", group, "Cartesian grid of the ranks, numbered row-major"})
      ->required();
  add_text(app, "--open", options.open,
           {"LIST", group, "Axes of the grid that are not periodic: 0,2 or all (default none)"});
  add_text(app, "--ranks", options.ranks,
           {"FILE", group, "Judge this rank map too (lines: the node of each rank)"});
  add_answer(app, options, "Write the rank map to FILE");
}

void bind(CLI::App& app, DrawOptions& options) {
  add_problem(app, options);
  add_algorithm(app, options);
  constexpr const char* group = "Picture";
  add_text(app, "--route", options.route, {"FROM:TO", group, "Highlight a shortest route"});
  add(app, "--round", options.round, whole_value, {"T", group, "Show only round T of a plan"});
  app.add_flag("--animate", options.animate, "Show all rounds in motion, one after the other")->group(group);
  add_output(app, options, "FILE", "Write the picture to FILE.svg");
  refuse_flag(app, "--json", "--json: a picture has no JSON; leave the option out");
}

void bind(CLI::App& app, ViewOptions& options) {
  add_problem(app, options);
  add_algorithm(app, options);
  add_text(app, "--gallery", options.gallery,
           {"DIR", output_group, "Write pages of a dozen plans into a new folder DIR, with an index"});
  add_output(app, options, "FILE", "Write the page to FILE.html");
  refuse_flag(app, "--json", "--json: a page has no JSON; leave the option out");
}

void bind(CLI::App& app, ExportOptions& options) {
  add_planning(app, options);
  add_text(app, "--format", options.format,
           {"NAME", output_group,
            "Network: simgrid (platform), simgrid-cluster, dot, csv. Plan: ti\n"
            "(SimGrid traces), goal (LogGOPSim), msccl, mscclpp (MSCCL++), paths,\n"
            "chakra (ASTRA-sim), ppermute (JAX), dot, csv"});
  add_output(app, options, "FILE", "Write to FILE, or for ti and chakra into a new folder FILE");
  refuse_flag(app, "--json", "--json: an export has the form of its format; leave the option out");
}

void bind(CLI::App& app, BenchOptions& options) {
  constexpr std::uint64_t most_runs = 10'000;
  add_network(app, options, "NAME", "The network, instead of --network");
  add_ranks(app, options, network_group);
  add_collective(app, options.collective);
  add_size_range(app, options, "Smallest size: MPI's count times the size of its type (default 8 B)",
                 "Largest size (default 1 MiB)");
  CLI::Option* const counts =
      add_counts(app, options)->excludes(app.get_option("--from"))->excludes(app.get_option("--upto"));
  add_root(app, options)->needs(counts);
  add(app, "--runs", options.runs, up_to(most_runs),
      {"N", collective_group, "Repetitions; medians are reported (default 9)"});
  add_machine(app, options);
  app.add_flag("--json", options.json, "Print one JSON object on stdout")->group(output_group);
}

void bind(CLI::App& app, MachineCheckOptions& options) {
  add_positional(app, "check", options.action, "What to do with the file: check it")->required();
  add_positional(app, "FILE", options.machine, "A machine file")->required();
  add_answer(app, options, "Draw the network into FILE.svg");
}

void bind(CLI::App& app, CalibrateOptions& options) {
  add_network(app, options, "NAME", "The network, instead of --network");
  add_ranks(app, options, network_group);
  add_answer(app, options, "Write the machine to FILE");
}

void bind(CLI::App& app, DiscoverOptions& options) {
  add(app, "--time-limit", options.time_limit, time_limit_value,
      {"TIME", network_group, "Most seconds for measuring latencies (default 7.5)"});
  app.add_flag("--every-rank", options.every_rank, "Take every rank as a host of its own")
      ->group(network_group);
  add_answer(app, options, "Write the machine to FILE, and the rank map beside it");
}

void bind(CLI::App& app, CompletionOptions& options) {
  add_positional(app, "SHELL", options.shell, "The shell: bash, zsh or fish")->required();
  add_tree(app, options.tree);
}

void bind(CLI::App& app, ManualOptions& options) {
  add_positional(app, "COMMAND", options.command, "The command (default: the program as a whole)");
  add(app, "-o,--output", options.output, output_value,
      {"FOLDER", output_group, "Write the pages of all commands into FOLDER"});
  add_tree(app, options.tree);
}

}  // namespace isotrope::app

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/options.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <ostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/io/atomic_file.hpp"
#include "isotrope/io/plan_file.hpp"
#include "isotrope/io/task_file.hpp"

#include "app/interrupt.hpp"
#include "app/progress.hpp"
#include "app/size.hpp"

namespace isotrope::app {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// A plan file fixes what these options would say.
void refuse_beside_plan_file(const Options& options) {
  const std::pair<const char*, const std::string*> fixed[] = {{"--network", &options.network},
                                                              {"--collective", &options.collective},
                                                              {"--root", &options.root},
                                                              {"--ports", &options.ports},
                                                              {"--parts", &options.parts},
                                                              {"--algorithm", &options.algorithm},
                                                              {"--packet", &options.packet},
                                                              {"--order", &options.order},
                                                              {"--merge", &options.merge},
                                                              {"--objective", &options.objective},
                                                              {"--failed-nodes", &options.failed_nodes},
                                                              {"--failed-links", &options.failed_links}};
  for (const auto& [name, value] : fixed) {
    if (!value->empty()) {
      throw Error(fmt::format("{} {} beside the plan file {}: give either the file or the options", name,
                              *value, options.subject));
    }
  }
}

bool sends_blocks_of_others(const schedule::Task& task) {
  return task.collective == schedule::Collective::scatter || task.collective == schedule::Collective::gather;
}

// Cuts blocks into packets of --packet, or merges as many blocks as it holds.
void apply_packet_size(const Options& options, planner::Request& request) {
  if (!options.parts.empty() || !options.merge.empty()) {
    throw Error(
        fmt::format("--packet {} beside {}: a packet size tells both how many packets a block is cut "
                    "into and how many blocks are merged",
                    options.packet, options.parts.empty() ? "--merge" : "--parts"));
  }
  const std::uint64_t block = chosen_bytes(options), packet = parse_size(options.packet);
  const std::uint64_t blocks = sends_blocks_of_others(request.task) ? request.network.order() - 1 : 1;
  if (packet / block > blocks || (packet / block == blocks && packet % block != 0)) {
    throw Error(fmt::format("--packet {}: larger than the message of {}; give at most --packet {}",
                            options.packet, format_size(block * blocks), block * blocks));
  }
  const std::uint64_t parts = (block + packet - 1) / packet;
  request.task = schedule::parse_task(to_string(request.task), request.network, request.task.root, parts);
  request.merge = std::max<std::uint64_t>(packet / block, 1);
}

planner::Objective chosen_objective(const Options& options) {
  if (options.objective.empty() || options.objective == "completion") return planner::Objective::completion;
  if (options.objective == "delay") return planner::Objective::delay;
  throw Error(fmt::format("--objective {}: give completion or delay", options.objective));
}

// The file of isotropic:FILE or task:FILE.
std::string file_of_listed_task(const std::string& collective) {
  const std::size_t colon = collective.find(':');
  const std::string name = collective.substr(0, colon);
  if (name != "isotropic" && name != "task") return "";
  if (colon == std::string::npos || colon + 1 == collective.size())
    throw Error(fmt::format("collective {}: give {}:FILE, a file with the packets", collective, name));
  return collective.substr(colon + 1);
}

void read_listed_task(const std::string& file, planner::Request& request) {
  if (request.task.collective == schedule::Collective::isotropic) {
    request.destinations = io::read_isotropic_task(file, request.network);
  } else {
    request.deliveries = io::read_task(file, request.network);
  }
}

std::uint64_t chosen_merge(const Options& options) {
  if (options.merge.empty()) return 1;
  if (options.merge == "all") return planner::unbounded;
  const auto number = whole_number(options.merge);
  if (number && *number >= 1) return *number;
  throw Error(fmt::format("--merge {}: give the most packets that travel as one message, 1 or more, or 'all'",
                          options.merge));
}

}  // namespace

network::Failures chosen_failures(const Options& options, const network::Network& network) {
  network::Failures failed;
  if (!options.failed_nodes.empty())
    failed.nodes = network::parse_failed_nodes(options.failed_nodes, network);
  if (!options.failed_links.empty())
    failed.links = network::parse_failed_links(options.failed_links, network);
  return failed;
}

void refuse_failures(const Options& options, std::string_view what) {
  for (const auto& [name, value] : {std::pair("--failed-nodes", options.failed_nodes),
                                    std::pair("--failed-links", options.failed_links)}) {
    if (!value.empty()) throw Error(fmt::format("{} {}: {}; leave the option out", name, value, what));
  }
}

void add_failure_options(CLI::App& command, Options& options) {
  command.add_option("--failed-nodes", options.failed_nodes, "Nodes that have failed, as 5,12")
      ->type_name("LIST");
  command
      .add_option("--failed-links", options.failed_links,
                  "Links that have failed, by their nodes or by a node and its port, as 3-4,7:0")
      ->type_name("LIST");
}

void add_common_options(CLI::App& command, Options& options) {
  command.add_option("PLAN", options.subject,
                     "A plan file (.json or .cbor), instead of --network and --collective");
  command.add_option("--network", options.network, "The network: hypercube:6, torus:4x4x8, hexmesh:4, ... ")
      ->type_name("NAME");
  command.add_option("--collective", options.collective, "What to do: alltoall, allgather, scatter, ...")
      ->type_name("NAME");
  command.add_option("--root", options.root, "Root of a rooted collective (default 0)")->type_name("NODE");
  command
      .add_option("--ports", options.ports,
                  "Ports a node uses in a round: all (default), a number, one, half")
      ->type_name("all|K|one|half");
  command
      .add_option("--parts,--packets", options.parts, "Equal parts, or packets, every block is cut into (1)")
      ->type_name("P");
  command.add_option("--packet", options.packet, "Size of a packet, instead of --packets; needs --bytes")
      ->type_name("SIZE");
  command
      .add_option("--order", options.order,
                  "Root's order of a scatter or gather: descending, reverse-breadth-first, postorder,\n"
                  "preorder, cyclic, cyclic-postorder, ... (default: the algorithm's own)")
      ->type_name("NAME");
  command
      .add_option("--merge", options.merge,
                  "Packets of a scatter or gather that may travel as one message (default 1)")
      ->type_name("K|all");
  command
      .add_option("--objective", options.objective,
                  "completion (default), or delay: as few rounds, then the least mean delay")
      ->type_name("NAME");
  command
      .add_option("--algorithm", options.algorithm, "An algorithm of `isotrope catalog` (default: the best)")
      ->type_name("NAME");
  add_failure_options(command, options);
  command.add_option("--bytes", options.bytes, "Bytes of one block: 512, 64KiB, 1MB")->type_name("SIZE");
  command
      .add_option("-o,--output", options.output,
                  "Write the plan (of bound, network, catalog: the answer) to FILE")
      ->type_name("FILE");
  command.add_flag("--json", options.json, "Print one JSON object on stdout");
}

bool names_a_plan_file(const Options& options) {
  const std::string& subject = options.subject;
  return subject.ends_with(".json") || subject.ends_with(".cbor") ||
         (!subject.empty() && subject.find(':') == std::string::npos) || std::filesystem::exists(subject);
}

network::Network chosen_network(const Options& options) {
  if (options.subject.empty() && options.network.empty()) {
    throw Error("no network: give --network NAME, such as --network hypercube:6, or a plan file");
  }
  if (options.subject.empty()) return network::parse(options.network);
  if (names_a_plan_file(options)) return io::read_plan(options.subject).network;
  if (!options.network.empty()) {
    throw Error(fmt::format("two networks, {} and {}: give one", options.subject, options.network));
  }
  return network::parse(options.subject);
}

planner::Request chosen_request(const Options& options) {
  network::Network network = chosen_network(options);
  if (options.collective.empty()) {
    throw Error("no collective: give --collective NAME, such as --collective alltoall, or a plan file");
  }
  const std::uint64_t root = options.root.empty() ? 0 : number_option("--root", options.root);
  const std::uint64_t parts = options.parts.empty() ? 1 : number_option("--parts", options.parts);
  const std::string listed = file_of_listed_task(options.collective);
  schedule::Task task = schedule::parse_task(
      listed.empty() ? options.collective : options.collective.substr(0, options.collective.find(':')),
      network, root, parts);
  schedule::PortModel ports = options.ports.empty()
                                  ? schedule::PortModel::all()
                                  : schedule::parse_port_model(options.ports, network.degree());
  planner::Request request{.network = std::move(network),
                           .task = task,
                           .ports = ports,
                           .algorithm = options.algorithm,
                           .merge = chosen_merge(options)};
  if (!listed.empty()) read_listed_task(listed, request);
  request.objective = chosen_objective(options);
  request.failed = chosen_failures(options, request.network);
  if (!options.order.empty()) request.order = algorithm::parse_root_order(options.order);
  if (!options.packet.empty()) apply_packet_size(options, request);
  return request;
}

Subject chosen_plan(const Options& options) {
  const auto start = Clock::now();
  if (!names_a_plan_file(options)) {
    const planner::Request request = chosen_request(options);
    const auto planning = Clock::now();
    const planner::Algorithm& algorithm = planner::choose(request);
    schedule::Plan plan = planner::make_plan(request, algorithm);
    return {std::move(plan), std::string(algorithm.name), seconds_since(planning), 0};
  }
  refuse_beside_plan_file(options);
  Progress progress("reading");
  schedule::Plan plan = io::read_plan(options.subject, progress.callback());
  return {std::move(plan), "", seconds_since(start), 0};
}

verify::Report verified(Subject& subject) {
  const auto start = Clock::now();
  Progress progress("verifying");
  const verify::Options options{.progress = progress.callback()};
  verify::Report report = subject.algorithm.empty() ? verify::verify(subject.plan, options)
                                                    : planner::certify(subject.plan, options);
  subject.verify_seconds = seconds_since(start);
  return report;
}

std::uint64_t chosen_bytes(const Options& options) {
  if (options.bytes.empty()) throw Error("no block size: give --bytes SIZE, such as --bytes 64KiB");
  return parse_size(options.bytes);
}

std::uint64_t number_option(const std::string& option, const std::string& value) {
  if (const auto number = whole_number(value)) return *number;
  throw Error(fmt::format("{} {}: give a whole number", option, value));
}

network::Node node_option(const std::string& option, const std::string& value,
                          const network::Network& network) {
  const std::uint64_t number = number_option(option, value);
  if (number < network.order()) return static_cast<network::Node>(number);
  throw Error(
      fmt::format("{} {}: the nodes of {} are 0..{}", option, value, network.name(), network.order() - 1));
}

void write_chosen_plan(const Options& options, const schedule::Plan& plan) {
  if (options.output.empty()) return;
  InterruptibleProgress progress("writing");
  io::write_plan(options.output, plan, progress.callback());
}

void print_or_write(const Options& options, const std::string& text) {
  if (options.output.empty()) {
    fmt::print("{}", text);
    return;
  }
  io::write_atomically(options.output, [&](std::ostream& out) { out << text; });
}

}  // namespace isotrope::app

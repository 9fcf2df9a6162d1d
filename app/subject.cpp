// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/subject.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/network/node_places.hpp"

#include "isotrope/io/machine_network.hpp"
#include "isotrope/io/network_file.hpp"
#include "isotrope/io/plan_file.hpp"
#include "isotrope/io/task_file.hpp"
#include "isotrope/io/text_file.hpp"

#include "isotrope/planner/packet_size.hpp"

#include "app/counts.hpp"
#include "app/machine.hpp"
#include "app/own_plans.hpp"
#include "app/progress.hpp"
#include "app/values.hpp"

namespace isotrope::app {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

using GivenOption = std::pair<const char*, std::string>;

std::string text_of(const std::optional<std::uint64_t>& number) {
  return number ? fmt::format("{}", *number) : std::string();
}

// The options whose values a plan file fixes, as given.
std::vector<GivenOption> fixed_by_plan_file(const ProblemOptions& options) {
  return {{"--network", options.network},
          {"--failed-nodes", options.failed_nodes},
          {"--failed-links", options.failed_links},
          {"--collective", options.collective},
          {"--root", text_of(options.root)},
          {"--ports", options.ports},
          {"--parts", text_of(options.parts)},
          {"--merge", text_of(options.merge)},
          {"--counts", options.counts}};
}

std::vector<GivenOption> fixed_by_plan_file(const PlanningOptions& options) {
  auto fixed = fixed_by_plan_file(static_cast<const ProblemOptions&>(options));
  constexpr std::array<const char*, 3> objectives{"", "delay", "no-wait"};
  fixed.insert(fixed.end(),
               {{"--algorithm", options.algorithm},
                {"--packet", text_of(options.packet)},
                {"--order", options.order},
                {"--objective", objectives[static_cast<std::size_t>(options.objective)]},
                {"--pack", options.pack ? fmt::format("{},{}", options.pack->sends, options.pack->load) : ""},
                {"--search-seed", text_of(options.search_seed)},
                {"--time-limit", options.time_limit ? fmt::format("{} s", *options.time_limit) : ""}});
  return fixed;
}

template <class Options>
void refuse_beside_plan_file(const Options& options) {
  for (const auto& [name, value] : fixed_by_plan_file(options)) {
    if (value.empty()) continue;
    throw Error(fmt::format("{} {} beside the plan file {}: give either the file or the options", name, value,
                            options.subject));
  }
}

schedule::Plan read_plan_file(const std::string& file) {
  Progress progress("reading");
  return io::read_plan(file, progress.callback());
}

// Without --ports, those of the machine file.
schedule::PortModel chosen_ports(const ProblemOptions& options, const network::Network& network) {
  std::string ports = options.ports;
  if (ports.empty() && !options.machine.empty())
    ports = to_string(machine_file(options.machine).machine.ports);
  if (ports.empty()) return schedule::PortModel::all();
  if (network.degree() > 0 || !whole_number(ports))
    return schedule::parse_port_model(ports, network.degree());
  throw Error(fmt::format("--ports {}: {} has no links, so its node has no ports; leave the option out",
                          ports, network.name()));
}

// Of --network or the positional argument.
const std::string& name_of_network(const NetworkOptions& options) {
  return options.subject.empty() ? options.network : options.subject;
}

// The network file that the options or the machine file name; empty if there is none.
std::string name_of_network_file(const NetworkOptions& options) {
  std::string name = name_of_network(options);
  if (name.empty() && !options.machine.empty()) name = machine_file(options.machine).nodes.network;
  return io::is_network_file(name) ? name : "";
}

template <class Item>
void add_new(std::vector<Item>& items, std::vector<Item> more) {
  for (const Item& item : more) {
    if (std::ranges::find(items, item) == items.end()) items.push_back(item);
  }
}

// Beside those of the machine file.
void add_failures(const NetworkOptions& options, network::NamedNetwork& nodes) {
  network::Failures& lacks = nodes.lacks;
  if (!options.failed_nodes.empty())
    add_new(lacks.nodes, network::parse_failed_nodes(options.failed_nodes, nodes.network));
  if (!options.failed_links.empty())
    add_new(lacks.links, network::parse_failed_links(options.failed_links, nodes.network, lacks.before()));
}

network::NamedNetwork nodes_of_machine_file(const std::string& file) {
  if (file.empty())
    throw Error("no network: give --network NAME, such as --network hypercube:6, or a plan file");
  const io::MachineNodes& machine = machine_file(file).nodes;
  if (machine.network.empty())
    throw Error(fmt::format("no network: give --network NAME, or add \"network\" to {}", file));
  return io::nodes_of_machine(file, machine, io::read_text);
}

}  // namespace

bool names_a_plan_file(const NetworkOptions& options) {
  const std::string& subject = options.subject;
  if (io::is_network_file(subject)) return false;
  return subject.ends_with(".json") || subject.ends_with(".cbor") ||
         (!subject.empty() && subject.find(':') == std::string::npos) || std::filesystem::exists(subject);
}

network::NamedNetwork chosen_nodes(const NetworkOptions& options) {
  if (!options.subject.empty() && !options.network.empty())
    throw Error(fmt::format("two networks, {} and {}: give one", options.subject, options.network));
  const std::string& name = name_of_network(options);
  network::NamedNetwork nodes =
      name.empty() ? nodes_of_machine_file(options.machine) : io::named_network(name);
  add_failures(options, nodes);
  return nodes;
}

network::NamedNetwork chosen_named_network(const NetworkOptions& options) {
  if (names_a_plan_file(options) && options.network.empty()) {
    schedule::Plan plan = read_plan_file(options.subject);
    return {std::move(plan.network), plan.failed.before()};
  }
  network::NamedNetwork nodes = chosen_nodes(options);
  nodes.lacks = nodes.lacks.before();
  return network::network_of_places(nodes, ranks_per_node(options));
}

network::Failures chosen_failures(const NetworkOptions& options, const network::NamedNetwork& named) {
  if (!options.machine.empty() && !names_a_plan_file(options))
    return network::network_of_places(chosen_nodes(options), ranks_per_node(options)).lacks;
  network::NamedNetwork nodes = named;
  add_failures(options, nodes);
  return std::move(nodes.lacks);
}

std::optional<network::RankMap> ranks_of_machine_file(const NetworkOptions& options,
                                                      const network::NamedNetwork& nodes,
                                                      std::uint32_t ranks_per_node) {
  if (options.machine.empty() || !name_of_network(options).empty()) return std::nullopt;
  const io::MachineNodes& machine = machine_file(options.machine).nodes;
  if (!machine.places_ranks()) return std::nullopt;
  return io::ranks_of_machine(options.machine, machine, nodes, ranks_per_node, io::read_text);
}

io::Coordinates chosen_coordinates(const NetworkOptions& options) {
  const std::string name = name_of_network_file(options);
  return name.empty() || ranks_per_node(options) > 1 ? io::Coordinates()
                                                     : io::read_network_file(name).coordinates;
}

std::vector<io::FileLinkClass> chosen_link_classes(const NetworkOptions& options) {
  const std::string name = name_of_network_file(options);
  return name.empty() ? std::vector<io::FileLinkClass>() : io::read_network_file(name).classes;
}

network::Network whole_network(network::NamedNetwork named) {
  auto [network, lacks] = std::move(named);
  if (lacks.empty()) return std::move(network);
  throw Error(fmt::format(
      "{} lacks links, which this command does not support yet: give a network with closed axes and all "
      "links of a Cayley graph",
      network.name()));
}

schedule::Problem problem_with(const ProblemOptions& options, network::Network network,
                               network::Failures failed, schedule::Task task) {
  const schedule::PortModel ports = chosen_ports(options, network);
  return {.network = std::move(network),
          .failed = std::move(failed),
          .task = std::move(task),
          .ports = ports,
          .aggregation = options.merge.value_or(1)};
}

schedule::Problem chosen_problem(const ProblemOptions& options) {
  network::NamedNetwork named = chosen_named_network(options);
  const network::Network& network = named.network;
  if (options.collective.empty()) {
    throw Error("no collective: give --collective NAME, such as --collective alltoall, or a plan file");
  }
  require_equal_blocks(options.collective);
  schedule::Task task =
      io::named_task(options.collective, network, options.root.value_or(0), options.parts.value_or(1));
  network::Failures failed = chosen_failures(options, named);
  return problem_with(options, std::move(named.network), std::move(failed), std::move(task));
}

void apply_goals(const PlanningOptions& options, schedule::Problem& problem) {
  problem.waiting = options.objective != Objective::no_wait;
  problem.step_limits = options.pack;
}

schedule::Problem chosen_problem(const PlanningOptions& options) {
  schedule::Problem problem = chosen_problem(static_cast<const ProblemOptions&>(options));
  if (options.packet) planner::set_packet_size(problem, *options.bytes, *options.packet, "--packet");
  apply_goals(options, problem);
  return problem;
}

planner::Preferences chosen_preferences(const PlanningOptions& options) {
  planner::Preferences preferences{.algorithm = options.algorithm};
  if (options.objective == Objective::delay) preferences.objective = planner::Objective::delay;
  if (!options.order.empty()) preferences.order = algorithm::parse_root_order(options.order);
  if (options.search_seed) preferences.seed = static_cast<std::uint32_t>(*options.search_seed);
  preferences.seconds = options.time_limit.value_or(0);
  return preferences;
}

schedule::Plan chosen_plan_file(const ProblemOptions& options) {
  refuse_beside_plan_file(options);
  return read_plan_file(options.subject);
}

Subject chosen_plan(const PlanningOptions& options) {
  if (names_a_plan_file(options)) {
    const auto start = Clock::now();
    refuse_beside_plan_file(options);
    schedule::Plan plan = read_plan_file(options.subject);
    return {std::move(plan), "", seconds_since(start), 0};
  }
  take_own_plans();
  const schedule::Problem problem = chosen_problem(options);
  const planner::Preferences preferences = chosen_preferences(options);
  const auto start = Clock::now();
  std::optional<TimedProgress> searching;
  std::optional<ElapsedProgress> planning;
  if (options.time_limit) {
    searching.emplace("searching", *options.time_limit);
  } else {
    planning.emplace("planning");
  }
  const planner::Algorithm& algorithm = planner::choose(problem, preferences);
  schedule::Plan plan = planner::make_plan(problem, algorithm, planner::parameters_of(preferences));
  return {std::move(plan), algorithm.name(), seconds_since(start), 0};
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

void require_node(const std::string& option, std::uint64_t number, const network::Network& network) {
  if (number < network.order()) return;
  throw Error(
      fmt::format("{} {}: the nodes of {} are 0..{}", option, number, network.name(), network.order() - 1));
}

void write_chosen_plan(const OutputOptions& options, const schedule::Plan& plan) {
  if (options.output.empty()) return;
  InterruptibleProgress progress("writing");
  io::write_plan(options.output, plan, progress.callback());
}

}  // namespace isotrope::app

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/machine.hpp"

#include <bit>
#include <map>

#include <fmt/format.h>

#include "isotrope/cost/node_places.hpp"

#include "isotrope/io/machine_network.hpp"

#include "app/describe.hpp"
#include "app/values.hpp"

namespace isotrope::app {

bool names_times(const MachineOptions& options) {
  return options.startup || options.byte_time || options.internal_packet || options.overlap ||
         options.overhead;
}

const io::NamedMachine& machine_file(const std::string& file) {
  static std::map<std::string, io::NamedMachine> known;
  const auto found = known.find(file);
  return found != known.end() ? found->second : known.emplace(file, io::read_machine(file)).first->second;
}

std::uint32_t ranks_per_node(const MachineFileOptions& options) {
  return options.machine.empty() ? 1 : machine_file(options.machine).nodes.ranks_per_node.value_or(1);
}

cost::Machine chosen_machine(const MachineOptions& times, const MachineFileOptions& file,
                             const cost::Machine& preset, const std::string& ports) {
  cost::Machine machine = file.machine.empty() ? preset : machine_file(file.machine).machine;
  if (!ports.empty()) machine.ports = preset.ports;
  machine.startup_s = times.startup.value_or(machine.startup_s);
  machine.byte_time_s = times.byte_time.value_or(machine.byte_time_s);
  machine.internal_packet = times.internal_packet.value_or(machine.internal_packet);
  machine.overlap = times.overlap.value_or(machine.overlap);
  machine.overhead_s = times.overhead.value_or(machine.overhead_s);
  return machine;
}

cost::Machine chosen_machine(const MachineOptions& times, const ProblemOptions& problem,
                             schedule::PortModel ports, const network::NamedNetwork& places) {
  cost::Machine preset = cost::cluster();
  preset.ports = ports;
  return on_places(chosen_machine(times, problem, preset, problem.ports), problem, places);
}

cost::Machine on_places(const cost::Machine& links, const MachineFileOptions& file,
                        const network::NamedNetwork& places) {
  const std::uint32_t ranks = ranks_per_node(file);
  if (ranks == 1) return links;
  return cost::machine_of_places(links, io::memory_of_machine(machine_file(file.machine).nodes), ranks,
                                 places);
}

namespace {

// ", along axis 2 4 us per start-up and 0.2 ns per byte"
std::string in_words(const cost::LinkClass& links) {
  std::string text = std::popcount(links.axes) == 1 ? ", along axis" : ", along axes";
  for (std::uint64_t axes = links.axes; axes != 0; axes &= axes - 1)
    text += fmt::format(" {}", std::countr_zero(axes));
  if (links.startup_s) text += fmt::format(" {:g} us per start-up", *links.startup_s * 1e6);
  if (links.startup_s && links.byte_time_s) text += " and";
  if (links.byte_time_s) text += fmt::format(" {:g} ns per byte", *links.byte_time_s * 1e9);
  return text;
}

}  // namespace

std::string in_words(const cost::Machine& machine) {
  std::string text = fmt::format("{:g} us per start-up, {:g} ns per byte", machine.startup_s * 1e6,
                                 machine.byte_time_s * 1e9);
  if (machine.internal_packet > 0)
    text += fmt::format(", at most {} per start-up", format_size(machine.internal_packet));
  if (machine.largest_message > 0)
    text += fmt::format(", messages of at most {}", format_size(machine.largest_message));
  if (machine.overlap > 0) text += fmt::format(", {:g} % overlap", 100 * machine.overlap);
  if (machine.overhead_s > 0) text += fmt::format(", {:g} us overhead per message", machine.overhead_s * 1e6);
  if (machine.overhead_byte_s > 0)
    text += fmt::format(", {:g} ns overhead per byte", machine.overhead_byte_s * 1e9);
  for (const cost::LinkClass& links : machine.link_classes()) text += in_words(links);
  if (machine.lanes > 1) text += fmt::format(", {} ranks share the links of a node", machine.lanes);
  if (machine.cut_through) {
    text += fmt::format(", cut-through with {:g} ns per hop", machine.hop_time_s * 1e9);
    if (machine.lanes > 1) text += ", for messages of one rank of a node";
  }
  return text;
}

std::string line_of_link_classes(const schedule::Problem& problem, const MachineFileOptions& options) {
  const bool of_machine =
      !options.machine.empty() && machine_file(options.machine).machine.link_class_count > 0;
  if (!of_machine && problem.failed.edge_times.empty()) return "";
  return line(
      "link classes",
      "rounds count them alike; with --bytes they are weighed, as by plan and cost; rates in the network's "
      "name count");
}

}  // namespace isotrope::app

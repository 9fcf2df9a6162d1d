// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "python/bindings/wanted.hpp"

#include <utility>

#include "isotrope/network/node_places.hpp"

#include "isotrope/cost/node_places.hpp"

#include "isotrope/io/machine_network.hpp"
#include "isotrope/io/task_file.hpp"

#include "isotrope/planner/packet_size.hpp"

namespace isotrope::python {

schedule::Problem problem_of(const Wanted& wanted) {
  network::NamedNetwork places = wanted.nodes.named;
  if (wanted.machine) places = network::network_of_places(places, wanted.machine->ranks_per_node());
  std::string ports = wanted.ports;
  if (ports.empty() && wanted.machine) ports = to_string(wanted.machine->named.machine.ports);
  schedule::Problem problem{.network = std::move(places.network), .failed = std::move(places.lacks)};
  if (wanted.blocks.empty()) {
    problem.task = io::named_task(wanted.collective, problem.network, wanted.root, wanted.parts.value_or(1));
  } else {
    problem.task = schedule::parse_task("task", problem.network);
    problem.task.deliveries = planner::in_packets(wanted.blocks, wanted.packet);
  }
  if (!ports.empty()) problem.ports = schedule::parse_port_model(ports, problem.network.degree());
  problem.aggregation = wanted.merge.value_or(1);
  return problem;
}

cost::Machine machine_of(const Wanted& wanted, const schedule::Problem& problem) {
  cost::Machine machine = wanted.machine ? wanted.machine->named.machine : cost::cluster();
  machine.ports = problem.ports;
  if (!wanted.machine || wanted.machine->ranks_per_node() == 1) return machine;
  return cost::machine_of_places(machine, io::memory_of_machine(wanted.machine->named.nodes),
                                 wanted.machine->ranks_per_node(), {problem.network, problem.failed});
}

}  // namespace isotrope::python

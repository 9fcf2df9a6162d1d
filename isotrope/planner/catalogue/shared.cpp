// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/catalogue/shared.hpp"

#include <fmt/format.h>

#include "isotrope/algorithm/broadcast/tree_broadcast.hpp"
#include "isotrope/algorithm/trees/layered_tree.hpp"

namespace isotrope::planner {
namespace {

bool is_hypercube(const Network& network) {
  if (std::uint64_t{network.order()} != std::uint64_t{1} << network.degree()) return false;
  for (schedule::Port port = 0; port < network.degree(); ++port) {
    if (network.neighbour(0, port) != schedule::Node{1} << port || network.opposite(port) != port)
      return false;
  }
  return network.degree() > 0;
}

}  // namespace

Reason limited_ports(const Problem& problem) {
  if (problem.ports.kind == schedule::PortModel::Kind::all_port) return std::nullopt;
  return fmt::format("it uses all ports at once, so it cannot serve {}", to_string(problem.ports));
}

Reason half_duplex(const Problem& problem) {
  if (!problem.ports.half_duplex()) return std::nullopt;
  return fmt::format("every node sends and receives at once, so it cannot serve {}",
                     to_string(problem.ports));
}

Reason partly_aggregated(const Problem& problem) {
  if (!problem.aggregated() || problem.aggregation == unbounded) return std::nullopt;
  return "it aggregates all packets that go the same way, so give --merge all";
}

Reason not_a_hypercube(const Problem& problem) {
  if (is_hypercube(problem.network)) return std::nullopt;
  return fmt::format("it needs a hypercube, not {}", problem.network.name());
}

Reason not_all_ports_of_hypercube(const Problem& problem) {
  const Reason reason = not_a_hypercube(problem);
  return reason ? reason : limited_ports(problem);
}

// The ports to children refer to the tree, which lives as long as the function.
schedule::Schedule plan_layered_broadcast(const Problem& problem) {
  const algorithm::LayeredTree tree(problem.network, problem.task.root);
  return algorithm::tree_broadcast(problem.network, problem.task.root, problem.task.parts, problem.ports,
                                   child_ports(problem.network, tree));
}

std::uint64_t layered_broadcast_rounds(const Problem& problem) {
  const algorithm::LayeredTree tree(problem.network, problem.task.root);
  return algorithm::tree_broadcast_rounds(problem.network, problem.task.root, problem.task.parts,
                                          problem.ports, child_ports(problem.network, tree));
}

}  // namespace isotrope::planner

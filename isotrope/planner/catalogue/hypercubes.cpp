// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/catalogue/hypercubes.hpp"

#include <fmt/format.h>

namespace isotrope::planner {
namespace {

using schedule::PortModel;

bool is_hypercube(const Network& network) {
  if (std::uint64_t{network.order()} != std::uint64_t{1} << network.degree()) return false;
  for (schedule::Port port = 0; port < network.degree(); ++port) {
    if (network.neighbour(0, port) != schedule::Node{1} << port || network.opposite(port) != port)
      return false;
  }
  return network.degree() > 0;
}

}  // namespace

std::optional<std::string> not_a_hypercube(const Problem& problem) {
  if (is_hypercube(problem.network)) return std::nullopt;
  return fmt::format("it needs a hypercube, not {}", problem.network.name());
}

std::optional<std::string> not_all_ports(const Problem& problem) {
  if (auto reason = not_a_hypercube(problem)) return reason;
  if (problem.ports.kind == PortModel::Kind::all_port) return std::nullopt;
  return fmt::format("it uses all ports at once, so it cannot serve {}", to_string(problem.ports));
}

std::optional<std::string> not_one_port(const Problem& problem) {
  if (auto reason = not_a_hypercube(problem)) return reason;
  if (problem.ports.kind == PortModel::Kind::one_port || problem.ports.half_duplex()) return std::nullopt;
  return fmt::format("it uses one port at a time, and {} was given", to_string(problem.ports));
}

std::optional<std::string> some_ports(const Problem& problem) {
  if (auto reason = not_a_hypercube(problem)) return reason;
  if (problem.ports.kind != PortModel::Kind::k_port) return std::nullopt;
  return fmt::format("it uses all ports or one, and {} was given", to_string(problem.ports));
}

}  // namespace isotrope::planner

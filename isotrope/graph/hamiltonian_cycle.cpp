// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/hamiltonian_cycle.hpp"

#include <utility>

#include "isotrope/graph/grid_cycle.hpp"

namespace isotrope::graph {
namespace {

using network::Node;

// The cycle of the subgroup of `cycle` extended by the generator.
std::vector<Node> extended(const network::Group& group, const std::vector<Node>& cycle,
                           std::vector<bool>& covered, Node generator) {
  std::vector<Node> shifts{0};  // one per coset
  for (Node shift = generator; !covered[shift]; shift = group.add(shift, generator)) shifts.push_back(shift);
  if (shifts.size() == 1) return cycle;
  std::vector<Node> result;
  result.reserve(cycle.size() * shifts.size());
  if (cycle.size() == 1) {
    result = std::move(shifts);
  } else {
    visit_grid(shifts.size(), cycle.size(),
               [&](GridCell at) { result.push_back(group.add(cycle[at.column], shifts[at.row])); });
  }
  for (const Node node : result) covered[node] = true;
  return result;
}

}  // namespace

std::vector<Node> hamiltonian_cycle(const network::Network& network) {
  std::vector<Node> cycle{0};
  std::vector<bool> covered(network.order(), false);
  covered[0] = true;
  for (const Node generator : network.generators())
    cycle = extended(network.group(), cycle, covered, generator);
  return cycle;
}

}  // namespace isotrope::graph

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/hamiltonian_cycle.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "isotrope/graph/grid_cycle.hpp"
#include "isotrope/graph/product_walks.hpp"

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

// The cycle of the subgroup that the generators span.
std::vector<Node> cycle_of(const network::Network& network, const std::vector<Node>& generators) {
  std::vector<Node> cycle{0};
  std::vector<bool> covered(network.order(), false);
  covered[0] = true;
  for (const Node generator : generators) cycle = extended(network.group(), cycle, covered, generator);
  return cycle;
}

bool stays_within(const network::Group& group, Node shift, const std::vector<std::uint32_t>& axes) {
  return std::ranges::all_of(axes, [&](std::uint32_t axis) { return group.coordinate(shift, axis) == 0; });
}

// The generators that move along no open axis.
std::vector<Node> across(const network::Network& network, const std::vector<std::uint32_t>& open_axes) {
  std::vector<Node> result;
  for (const Node generator : network.generators()) {
    if (stays_within(network.group(), generator, open_axes)) result.push_back(generator);
  }
  return result;
}

// The node at the given place of an axis, of those with 0 elsewhere.
Node node_at(const network::Group& group, std::uint32_t axis, network::Coordinate place) {
  std::vector<network::Coordinate> coordinates(group.rank(), 0);
  coordinates[axis] = place;
  return group.number(coordinates);
}

// The cycle of the product of the closed axis and the open ones, these taken in turn from the `first` of all on.
std::optional<std::vector<Node>> cycle_with_open_axes(const network::Network& network,
                                                      const std::vector<std::uint32_t>& open_axes,
                                                      std::size_t first) {
  const network::Group& group = network.group();
  const std::vector<Node> closed = cycle_of(network, across(network, open_axes));
  std::vector<WalkedAxis> axes;
  std::uint64_t cells = closed.size();
  if (closed.size() > 1)
    axes.push_back({.extent = static_cast<std::uint32_t>(cells), .is_closed = cells > 2});
  for (const std::uint32_t axis : open_axes) {
    if (std::ranges::count(network.generators(), node_at(group, axis, 1)) == 0) return std::nullopt;
    axes.push_back({.extent = group.moduli()[axis], .stride = static_cast<std::uint32_t>(cells)});
    cells *= group.moduli()[axis];
  }
  if (cells != network.order()) return std::nullopt;
  std::rotate(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(first % axes.size()), axes.end());
  auto walk = hamiltonian_cycle(axes);
  if (!walk) return std::nullopt;
  for (Node& cell : *walk) {
    std::uint64_t rest = cell / closed.size();
    Node node = closed[cell % closed.size()];
    for (const std::uint32_t axis : open_axes) {
      const network::Coordinate extent = group.moduli()[axis];
      node = group.add(node, node_at(group, axis, static_cast<network::Coordinate>(rest % extent)));
      rest /= extent;
    }
    cell = node;
  }
  return walk;
}

// A translation along closed axes that takes the cycle off the failed links, all links side by side with them too.
std::optional<Node> shift_off(const network::Network& network, const network::Failures& failures,
                              const std::vector<Node>& cycle) {
  const network::Group& group = network.group();
  std::vector<bool> is_bad(network.order(), false);
  for (const network::Link& link : failures.links) {
    const Node from = link.node, to = network.neighbour(link.node, link.port);
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const Node here = cycle[i], next = cycle[(i + 1) % cycle.size()];
      if (group.subtract(next, here) == group.subtract(to, from)) is_bad[group.subtract(from, here)] = true;
      if (group.subtract(here, next) == group.subtract(to, from)) is_bad[group.subtract(from, next)] = true;
    }
  }
  for (Node shift = 0; shift < network.order(); ++shift) {
    if (!is_bad[shift] && stays_within(group, shift, failures.open_axes)) return shift;
  }
  return std::nullopt;
}

// The cycle with places of the open axes in `mask` counted from their other ends.
std::vector<Node> reflected(const network::Group& group, const std::vector<std::uint32_t>& open_axes,
                            std::uint32_t mask, std::vector<Node> cycle) {
  for (std::size_t i = 0; i < open_axes.size(); ++i) {
    if ((mask >> i & 1) == 0) continue;
    const network::Coordinate extent = group.moduli()[open_axes[i]];
    for (Node& node : cycle) {
      const network::Coordinate place = group.coordinate(node, open_axes[i]);
      node = group.add(node, node_at(group, open_axes[i], (2 * extent - 1 - 2 * place) % extent));
    }
  }
  return cycle;
}

}  // namespace

std::vector<Node> hamiltonian_cycle(const network::Network& network) {
  return cycle_of(network, {network.generators().begin(), network.generators().end()});
}

std::optional<std::vector<Node>> hamiltonian_cycle(const network::Network& network,
                                                   const network::Failures& failures) {
  constexpr std::size_t most_reflected = 4;
  if (!failures.nodes.empty() || !failures.edges.empty()) return std::nullopt;
  const std::vector<std::uint32_t>& open_axes = failures.open_axes;
  std::vector<Node> generators(network.generators().begin(), network.generators().end());
  const std::size_t orders = open_axes.empty() ? generators.size() : open_axes.size() + 1;
  for (std::size_t order = 0; order < orders; ++order) {
    const auto cycle = open_axes.empty() ? std::optional(cycle_of(network, generators))
                                         : cycle_with_open_axes(network, open_axes, order);
    if (!cycle || failures.links.empty()) return cycle;
    for (std::uint32_t mask = 0; mask >> std::min(open_axes.size(), most_reflected) == 0; ++mask) {
      std::vector<Node> result = reflected(network.group(), open_axes, mask, *cycle);
      const auto shift = shift_off(network, failures, result);
      if (!shift) continue;
      for (Node& node : result) node = network.group().add(node, *shift);
      std::rotate(result.begin(), std::ranges::find(result, Node{0}), result.end());
      return result;
    }
    std::rotate(generators.begin(), generators.begin() + 1, generators.end());
  }
  return std::nullopt;
}

}  // namespace isotrope::graph

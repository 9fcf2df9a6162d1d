// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/port_box.hpp"

#include <algorithm>
#include <bit>
#include <span>

namespace isotrope::io {
namespace {

using network::Coordinate;
using network::Network;
using network::Node;
using network::Port;

PortBox box_over(const Network& network, std::span<const Port> forward) {
  PortBox box{{}, {0}};
  std::vector<bool> reached(network.order());
  reached[0] = true;
  for (std::size_t left = forward.size(); left > 0; --left) {
    const Port port = forward[left - 1];
    const std::size_t inner = box.nodes.size();
    PortAxis axis{port, 1};
    for (Node next = network.neighbour(0, port); !reached[next]; next = network.neighbour(next, port)) {
      for (std::size_t i = 0; i < inner; ++i) {
        box.nodes.push_back(network.neighbour(box.nodes[box.nodes.size() - inner], port));
      }
      ++axis.extent;
    }
    for (const Node node : box.nodes) reached[node] = true;
    box.axes.insert(box.axes.begin(), axis);
  }
  return box;
}

bool may_be_torus(const Network& network) {
  return !network.name().starts_with("circulant:") && network.degree() + 1 < network.order();
}

}  // namespace

std::size_t PortBox::stride(std::size_t axis) const {
  std::size_t stride = 1;
  for (std::size_t later = axis + 1; later < axes.size(); ++later) stride *= axes[later].extent;
  return stride;
}

std::optional<PortBox> box_of(const Network& network) {
  if (!may_be_torus(network)) return std::nullopt;
  std::vector<Port> forward;
  for (Port port = 0; port < network.degree(); ++port) {
    if (port <= network.opposite(port)) forward.push_back(port);
  }
  for (int orders = 0; orders < 2; ++orders) {
    PortBox box = box_over(network, forward);
    if (std::ranges::all_of(box.axes, [](const PortAxis& axis) { return axis.extent > 1; })) return box;
    std::ranges::reverse(forward);
  }
  return std::nullopt;
}

bool is_hypercube(const Network& network) {
  const auto moduli = network.group().moduli();
  return std::ranges::all_of(moduli, [](Coordinate m) { return m == 2; }) &&
         std::ranges::all_of(network.generators(), [](Node g) { return std::has_single_bit(g); });
}

}  // namespace isotrope::io

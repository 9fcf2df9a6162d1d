// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/product_axes.hpp"

#include <algorithm>
#include <utility>

#include "isotrope/network/port_axis.hpp"
#include "isotrope/network/rates.hpp"

namespace isotrope::network {
namespace {

// The shape by the number of ports; nothing if the ports are those of another graph.
std::optional<AxisShape> shape_of(const ProductAxis& axis, bool open) {
  if (open) return AxisShape::line;
  const auto absent = std::ranges::count(axis.ports, ProductAxis::no_port);
  const std::size_t count = axis.ports.size() - static_cast<std::size_t>(absent);
  const bool has_steps = axis.ports[1] != ProductAxis::no_port;
  if (count + 1 == axis.extent) return AxisShape::complete;
  if (count == 2 && has_steps) return AxisShape::ring;
  return std::nullopt;
}

}  // namespace

Coordinate ProductAxis::distance(Coordinate from, Coordinate to) const {
  const Coordinate apart = from < to ? to - from : from - to;
  switch (shape) {
    case AxisShape::line:
      return apart;
    case AxisShape::ring:
      return std::min(apart, extent - apart);
    case AxisShape::complete:
      break;
  }
  return apart == 0 ? 0 : 1;
}

Coordinate ProductAxis::diameter() const {
  switch (shape) {
    case AxisShape::line:
      return extent - 1;
    case AxisShape::ring:
      return extent / 2;
    case AxisShape::complete:
      break;
  }
  return 1;
}

std::uint64_t ProductAxis::distance_sum() const {
  const std::uint64_t p = extent;
  switch (shape) {
    case AxisShape::line:
      return (p * p - 1) * p / 3;
    case AxisShape::ring:
      return p * (p * p / 4);
    case AxisShape::complete:
      break;
  }
  return p * (p - 1);
}

std::optional<std::vector<ProductAxis>> product_axes(const Network& network,
                                                     const std::vector<std::uint32_t>& open_axes) {
  const Group& group = network.group();
  std::vector<ProductAxis> axes;
  for (std::uint32_t i = 0; i < group.rank(); ++i) {
    const Coordinate extent = group.moduli()[i];
    axes.push_back({i, extent, AxisShape::complete, std::vector<Port>(extent, ProductAxis::no_port), 0});
  }
  const std::vector<std::uint32_t> rates = port_rates(network);
  for (Port port = 0; port < network.degree(); ++port) {
    const Node generator = network.generators()[port];
    const auto moved = axis_of(network, port);
    if (!moved) return std::nullopt;
    ProductAxis& axis = axes[*moved];
    Port& first = axis.ports[group.coordinate(generator, *moved)];
    first = std::min(first, port);
    if (axis.rate == 0) axis.rate = rates[port];
    if (axis.rate != rates[port]) return std::nullopt;
  }
  std::erase_if(axes, [](const ProductAxis& axis) { return axis.extent == 1; });
  for (ProductAxis& axis : axes) {
    const auto shape = shape_of(axis, std::ranges::find(open_axes, axis.coordinate) != open_axes.end());
    if (!shape) return std::nullopt;
    axis.shape = *shape;
  }
  return axes;
}

}  // namespace isotrope::network

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/axis_halves.hpp"

#include <fmt/format.h>

#include "isotrope/network/product_axes.hpp"

#include "isotrope/bound/kinds.hpp"

namespace isotrope::bound {
namespace {

using network::AxisShape;
using network::ProductAxis;

Bound bound_of_axis(const GraphView& view, const ProductAxis& axis) {
  const std::uint64_t layer = view.node_count() / axis.extent, lower = axis.extent / 2,
                      pairs = lower * (axis.extent - lower);
  const std::uint64_t packets = pairs * layer * layer * view.parts();
  const std::uint64_t links = axis.shape == AxisShape::line   ? layer
                              : axis.shape == AxisShape::ring ? 2 * layer
                                                              : pairs * layer;
  const std::uint64_t room = links * view.message_room(), value = ceil_div(packets, room);
  return {
      "cut", value,
      fmt::format("the {} nodes below coordinate {} of axis {} must send {} packets to the others, over {} "
                  "links: ceil({}/{}) = {}",
                  lower * layer, lower, axis.coordinate, packets, links, packets, room, value)};
}

}  // namespace

std::optional<Bound> axis_halves_bound(const GraphView& view) {
  const schedule::Problem& problem = view.problem();
  if (problem.task.collective != schedule::Collective::alltoall || problem.failed.open_axes.empty() ||
      !problem.failed.only_open_axes())
    return std::nullopt;
  const auto axes = product_axes(problem.network, problem.failed.open_axes);
  if (!axes) return std::nullopt;
  Bound best{"cut", 0, ""};
  for (const ProductAxis& axis : *axes) raise(best, bound_of_axis(view, axis));
  return best;
}

}  // namespace isotrope::bound

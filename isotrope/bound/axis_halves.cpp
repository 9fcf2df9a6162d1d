// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/axis_halves.hpp"

#include <fmt/format.h>

#include "isotrope/network/product_axes.hpp"
#include "isotrope/network/rates.hpp"

#include "isotrope/bound/kinds.hpp"

namespace isotrope::bound {
namespace {

using network::AxisShape;
using network::ProductAxis;

Bound bound_of_axis(const GraphView& view, const ProductAxis& axis) {
  const std::uint64_t layer = view.node_count() / axis.extent, lower = axis.extent / 2,
                      pairs = lower * (axis.extent - lower);
  const std::uint64_t packets = pairs * layer * layer * view.parts();
  const std::uint64_t crossings = axis.shape == AxisShape::line   ? 1
                                  : axis.shape == AxisShape::ring ? 2
                                                                  : pairs;
  const std::uint64_t links = crossings * layer * axis.rate;
  const std::uint64_t room = view.room_over(links), value = ceil_div(packets, room);
  return {
      "cut", value,
      fmt::format("the {} nodes below coordinate {} of axis {} must send {} packets to the others, over {} "
                  "links: ceil({}/{}) = {}",
                  lower * layer, lower, axis.coordinate, packets, links, packets, room, value)};
}

}  // namespace

std::optional<Bound> axis_halves_bound(const GraphView& view) {
  const schedule::Problem& problem = view.problem();
  const bool is_plain = problem.failed.open_axes.empty() && !network::has_copies(problem.network);
  if (problem.task.collective != schedule::Collective::alltoall || is_plain ||
      !problem.failed.only_open_axes())
    return std::nullopt;
  const auto axes = product_axes(problem.network, problem.failed.open_axes);
  if (!axes) return std::nullopt;
  Bound best{"cut", 0, ""};
  for (const ProductAxis& axis : *axes) raise(best, bound_of_axis(view, axis));
  return best;
}

}  // namespace isotrope::bound

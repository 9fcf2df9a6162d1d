// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/axis_slices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/network/product_axes.hpp"
#include "isotrope/network/rates.hpp"

#include "isotrope/bound/kinds.hpp"

namespace isotrope::bound {
namespace {

using network::AxisShape;
using network::ProductAxis;

constexpr std::size_t most_axes = 16;

// The links of a node along an axis, at the first coordinate.
std::uint64_t links_along(const ProductAxis& axis) {
  const std::uint64_t neighbours = axis.shape == AxisShape::line   ? 1
                                   : axis.shape == AxisShape::ring ? 2
                                                                   : axis.extent - 1;
  return neighbours * axis.rate;
}

Bound bound_of_set(const GraphView& view, const std::vector<ProductAxis>& axes, std::uint32_t set) {
  std::vector<std::uint32_t> names;
  std::uint64_t slices = 1, links = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if ((set >> i & 1) == 0) continue;
    names.push_back(axes[i].coordinate);
    slices *= axes[i].extent;
    links += links_along(axes[i]);
  }
  const std::uint64_t nodes = view.node_count() / slices,
                      packets = (view.node_count() - nodes) * view.parts();
  const std::uint64_t room = view.room_over(nodes * links), value = ceil_div(packets, room);
  return {
      "cut", value,
      fmt::format("the {} nodes at coordinate 0 of axes {} must exchange {} packets with the others one way, "
                  "over {} links: ceil({}/{}) = {}",
                  nodes, fmt::join(names, ","), packets, nodes * links, packets, room, value)};
}

}  // namespace

std::optional<Bound> axis_slices_bound(const GraphView& view) {
  const schedule::Problem& problem = view.problem();
  if (view.traffic() != Traffic::all_to_all || problem.failed.any_failed() ||
      !network::has_copies(problem.network))
    return std::nullopt;
  const auto axes = product_axes(problem.network, problem.failed.open_axes);
  if (!axes || axes->size() > most_axes) return std::nullopt;
  Bound best{"cut", 0, ""};
  for (std::uint32_t set = 1; set < 1U << axes->size(); ++set) raise(best, bound_of_set(view, *axes, set));
  return best;
}

}  // namespace isotrope::bound

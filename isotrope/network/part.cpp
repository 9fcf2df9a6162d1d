// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/part.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/network/product_axes.hpp"

namespace isotrope::network {
namespace {

// What a part has of one axis: more than one coordinate.
struct PartAxis {
  AxisShape shape;
  std::size_t extent;
  std::uint32_t rate;
};

// The coordinates along an axis in the order in which the nodes first come to them.
std::vector<Coordinate> coordinates_of(const Group& group, std::uint32_t axis, std::span<const Node> nodes) {
  std::vector<Coordinate> result;
  std::vector<bool> is_known(group.moduli()[axis], false);
  for (const Node node : nodes) {
    const Coordinate here = group.coordinate(node, axis);
    if (!is_known[here]) result.push_back(here);
    is_known[here] = true;
  }
  return result;
}

// Whether each coordinate is one step behind the one before, always in the same sense.
bool follow_each_other(const std::vector<Coordinate>& coordinates, const ProductAxis& axis) {
  const auto step = [&](std::size_t i) {
    return (coordinates[i + 1] + axis.extent - coordinates[i]) % axis.extent;
  };
  const Coordinate first = step(0);
  if (first != 1 && first != axis.extent - 1) return false;
  for (std::size_t i = 0; i + 1 < coordinates.size(); ++i) {
    if (step(i) != first) return false;
    if (axis.shape == AxisShape::line && axis.distance(coordinates[i], coordinates[i + 1]) != 1) return false;
  }
  return true;
}

std::optional<PartAxis> part_axis(const ProductAxis& axis, const std::vector<Coordinate>& coordinates) {
  const std::size_t extent = coordinates.size();
  if (axis.shape == AxisShape::complete) return PartAxis{AxisShape::complete, extent, axis.rate};
  if (!follow_each_other(coordinates, axis)) return std::nullopt;
  const bool is_whole_ring = axis.shape == AxisShape::ring && extent == axis.extent;
  return PartAxis{is_whole_ring ? AxisShape::ring : AxisShape::line, extent, axis.rate};
}

// A ring of 3 or fewer is complete, and a line of 2 as well.
bool is_ring(const PartAxis& axis) {
  return axis.shape == AxisShape::ring || (axis.shape == AxisShape::complete && axis.extent <= 3) ||
         axis.extent == 2;
}

std::string name_of(const std::vector<PartAxis>& axes) {
  if (axes.empty()) return "ring:1";
  const bool has_rates = std::ranges::any_of(axes, [](const PartAxis& axis) { return axis.rate > 1; });
  const bool is_cube = std::ranges::all_of(axes, [](const PartAxis& axis) { return axis.extent == 2; });
  if (is_cube && !has_rates) return fmt::format("hypercube:{}", axes.size());
  if (std::ranges::all_of(axes, is_ring)) {
    std::string extents, rates;
    for (const PartAxis& axis : axes) {
      extents += fmt::format("{}{}", extents.empty() ? "" : "x", axis.extent);
      rates += fmt::format("{}{}", rates.empty() ? "" : ",", axis.rate);
    }
    return fmt::format("torus:{}{}", extents, has_rates ? "@" + rates : "");
  }
  std::string result;
  for (const PartAxis& axis : axes) {
    const char* const family = is_ring(axis) ? "ring" : axis.shape == AxisShape::line ? "line" : "complete";
    result += fmt::format("{}{}:{}", result.empty() ? "" : "x", family, axis.extent);
    if (axis.rate > 1) result += fmt::format("@{}", axis.rate);
  }
  return result;
}

// Whether node i has the i-th combination of the coordinates, the last axis fastest.
bool is_row_major(const Group& group, const std::vector<ProductAxis>& axes,
                  const std::vector<std::vector<Coordinate>>& coordinates, std::span<const Node> nodes) {
  std::size_t stride = nodes.size();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t extent = coordinates[i].size();
    if (stride % extent != 0) return false;
    stride /= extent;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      if (group.coordinate(nodes[k], axes[i].coordinate) != coordinates[i][k / stride % extent]) return false;
    }
  }
  return stride == 1;
}

// The part in whose row-major order the nodes are.
std::optional<NamedNetwork> ordered_part(const Group& group, const std::vector<ProductAxis>& axes,
                                         std::span<const Node> nodes) {
  std::vector<PartAxis> part;
  std::vector<std::vector<Coordinate>> coordinates;
  for (const ProductAxis& axis : axes) {
    coordinates.push_back(coordinates_of(group, axis.coordinate, nodes));
    if (coordinates.back().size() == 1) continue;
    const auto own = part_axis(axis, coordinates.back());
    if (!own) return std::nullopt;
    part.push_back(*own);
  }
  if (!is_row_major(group, axes, coordinates, nodes)) return std::nullopt;
  return parse_named(name_of(part));
}

// The place of every coordinate of an axis, ascending; on a ring that is not whole, from behind its gap.
std::vector<Coordinate> places_along(const ProductAxis& axis, std::vector<Coordinate> coordinates) {
  std::ranges::sort(coordinates);
  if (axis.shape == AxisShape::ring && coordinates.size() < axis.extent) {
    const auto gap =
        std::ranges::adjacent_find(coordinates, [](Coordinate a, Coordinate b) { return b != a + 1; });
    if (gap != coordinates.end()) std::rotate(coordinates.begin(), gap + 1, coordinates.end());
  }
  std::vector<Coordinate> places(axis.extent, 0);
  for (std::size_t i = 0; i < coordinates.size(); ++i) places[coordinates[i]] = static_cast<Coordinate>(i);
  return places;
}

// The ranks, numbered by the nodes that they have, in row-major order of these nodes.
std::vector<Rank> in_row_major_order(const Group& group, const std::vector<ProductAxis>& axes,
                                     std::span<const Node> nodes) {
  std::vector<std::uint64_t> keys(nodes.size(), 0);
  for (const ProductAxis& axis : axes) {
    const std::vector<Coordinate> places = places_along(axis, coordinates_of(group, axis.coordinate, nodes));
    for (std::size_t i = 0; i < nodes.size(); ++i)
      keys[i] = keys[i] * axis.extent + places[group.coordinate(nodes[i], axis.coordinate)];
  }
  std::vector<Rank> ranks(nodes.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  std::ranges::sort(ranks, {}, [&](Rank rank) { return keys[rank]; });
  return ranks;
}

}  // namespace

std::optional<MappedNetwork> part_of(const NamedNetwork& whole, std::span<const Node> nodes) {
  if (!whole.lacks.only_open_axes()) return std::nullopt;
  const auto axes = product_axes(whole.network, whole.lacks.open_axes);
  if (!axes) return std::nullopt;
  const Group& group = whole.network.group();
  if (auto part = ordered_part(group, *axes, nodes)) return MappedNetwork{*std::move(part)};
  const std::vector<Rank> ranks = in_row_major_order(group, *axes, nodes);
  std::vector<Node> ordered, places(nodes.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    ordered.push_back(nodes[ranks[i]]);
    places[ranks[i]] = static_cast<Node>(i);
  }
  auto part = ordered_part(group, *axes, ordered);
  if (!part) return std::nullopt;
  return MappedNetwork{*std::move(part), RankMap(std::move(places))};
}

std::vector<std::uint32_t> axes_of_part(const Network& whole, std::span<const Node> nodes) {
  const Group& group = whole.group();
  std::vector<std::uint32_t> result;
  for (std::uint32_t axis = 0; axis < group.rank(); ++axis) {
    const auto differs = [&](Node node) {
      return group.coordinate(node, axis) != group.coordinate(nodes[0], axis);
    };
    if (std::ranges::any_of(nodes, differs)) result.push_back(axis);
  }
  return result;
}

}  // namespace isotrope::network

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/regrouped_axes.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "isotrope/network/torus.hpp"

namespace isotrope::network {
namespace {

// Axes of the given torus that stay as they are (one), become two (one, of 4 nodes), or become one (two, of 2 nodes each).
struct Regrouping {
  std::vector<std::size_t> axes;
  std::vector<Coordinate> extents;  // of the new axes
};

std::vector<Regrouping> regroupings(std::span<const Coordinate> extents) {
  const bool splits = std::ranges::count(extents, 4U) > 0;
  std::vector<Regrouping> result;
  std::optional<std::size_t> waiting;  // the first axis of a pair
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if (splits && extents[axis] == 4) {
      result.push_back({{axis}, {2, 2}});
    } else if (splits || extents[axis] != 2) {
      result.push_back({{axis}, {extents[axis]}});
    } else if (waiting) {
      result.push_back({{*waiting, axis}, {4}});
      waiting.reset();
    } else {
      waiting = axis;
    }
  }
  if (waiting) result.push_back({{*waiting}, {2}});
  return result;
}

std::vector<Coordinate> regrouped_coordinates(const std::vector<Regrouping>& groups,
                                              const std::vector<Coordinate>& given) {
  std::vector<Coordinate> result;
  for (const auto& [axes, extents] : groups) {
    const Coordinate first = given[axes.front()];
    if (extents.size() == 2) {
      const Coordinate code = first ^ (first >> 1U);
      result.insert(result.end(), {code >> 1U, code & 1U});
    } else {
      result.push_back(axes.size() == 2 ? 2 * first + (first ^ given[axes.back()]) : first);
    }
  }
  return result;
}

}  // namespace

std::optional<RegroupedTorus> regrouped(const SplitTorus& torus) {
  const Group& group = torus.network.group();
  const std::vector<Regrouping> groups = regroupings(group.moduli());
  std::vector<Coordinate> extents;
  for (const Regrouping& each : groups)
    extents.insert(extents.end(), each.extents.begin(), each.extents.end());
  if (std::ranges::all_of(groups,
                          [](const Regrouping& each) { return each.axes.size() == each.extents.size(); }))
    return std::nullopt;
  Network network = isotrope::network::torus(std::move(extents));
  RegroupedTorus result{*split_torus(network, {}), {}};
  for (Node node = 0; node < torus.network.order(); ++node) {
    result.numbers.push_back(
        result.torus.network.group().number(regrouped_coordinates(groups, group.coordinates(node))));
  }
  return result;
}

}  // namespace isotrope::network

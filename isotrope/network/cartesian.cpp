// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/cartesian.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace isotrope::network {
namespace {

// "line:4xring:8"; a torus if all axes are closed.
std::string cartesian_name(std::span<const Coordinate> extents, const std::vector<bool>& periodic) {
  std::vector<std::string> axes;
  bool closed = true;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const bool is_ring = periodic[i] || extents[i] <= 2;
    axes.push_back(fmt::format("{}:{}", is_ring ? "ring" : "line", extents[i]));
    closed = closed && is_ring;
  }
  return closed ? fmt::format("torus:{}", fmt::join(extents, "x")) : fmt::format("{}", fmt::join(axes, "x"));
}

}  // namespace

NamedNetwork cartesian_network(std::span<const Coordinate> extents, const std::vector<bool>& periodic) {
  if (extents.empty()) return {parse("torus:1")};
  const auto twos = std::ranges::count(extents, 2U), ones = std::ranges::count(extents, 1U);
  if (twos > 0 && static_cast<std::size_t>(twos + ones) == extents.size())
    return {parse(fmt::format("hypercube:{}", twos))};
  return parse_named(cartesian_name(extents, periodic));
}

}  // namespace isotrope::network

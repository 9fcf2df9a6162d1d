// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/split_axes.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "isotrope/network/torus.hpp"

namespace isotrope::network {
namespace {

// Ascending.
std::vector<Coordinate> prime_factors(Coordinate extent) {
  std::vector<Coordinate> result;
  for (Coordinate factor = 2; extent > 1; ++factor) {
    if (std::uint64_t{factor} * factor > extent) factor = extent;
    for (; extent % factor == 0; extent /= factor) result.push_back(factor);
  }
  return result;
}

struct Factors {
  std::vector<Coordinate> extents;
  std::vector<std::size_t> levels;  // by extent

  void add(const std::vector<Coordinate>& axis) {
    for (std::size_t i = 0; i < axis.size(); ++i) {
      if (axis[i] < 2) continue;
      extents.push_back(axis[i]);
      levels.push_back(axis.size() - 1 - i);
    }
  }
};

Factors factors_of(const Network& network, const Failures& lacks) {
  Factors result;
  if (!lacks.edges.empty()) {
    result.add(prime_factors(network.order()));
    return result;
  }
  const auto moduli = network.group().moduli();
  for (std::uint32_t axis = 0; axis < moduli.size(); ++axis) {
    const bool is_open = std::ranges::count(lacks.open_axes, axis) > 0;
    result.add(is_open ? prime_factors(moduli[axis]) : std::vector{moduli[axis]});
  }
  return result;
}

}  // namespace

std::optional<SplitTorus> split_torus(const Network& network, const Failures& lacks) {
  if (lacks.open_axes.empty() && lacks.edges.empty()) {
    auto axes = torus_axes(network);
    if (!axes) return std::nullopt;
    return SplitTorus{network, {*std::move(axes)}};
  }
  const Factors factors = factors_of(network, lacks);
  SplitTorus result{torus(factors.extents), {}};
  result.levels.resize(std::ranges::max(factors.levels) + 1);
  const std::vector<TorusAxis> axes = *torus_axes(result.network);
  for (std::size_t i = 0; i < axes.size(); ++i) result.levels[factors.levels[i]].push_back(axes[i]);
  return result;
}

}  // namespace isotrope::network

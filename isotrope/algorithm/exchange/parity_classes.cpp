// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/parity_classes.hpp"

#include <algorithm>
#include <bit>

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using schedule::Replication;

// The classes by the sum of the coordinates of `axes`, a bit each.
ParityClasses classes_by(const Network& network, std::uint64_t axes) {
  const network::Group& group = network.group();
  ParityClasses classes{Replication::even_sum(axes), {}, 2, 0};
  for (const Node generator : network.generators()) {
    std::uint32_t parity = 0;
    for (std::size_t axis = 0; axis < group.rank(); ++axis) {
      if ((axes >> axis & 1) != 0) parity ^= group.coordinate(generator, axis) % 2;
    }
    classes.parities.push_back(parity);
  }
  std::vector<network::Coordinate> unit(group.rank(), 0);
  unit[static_cast<std::size_t>(std::countr_zero(axes))] = 1;
  classes.odd_origin = group.number(unit);
  return classes;
}

}  // namespace

ParityClasses all_alike(const Network& network) {
  return {Replication::all(), std::vector<std::uint32_t>(network.degree(), 0), 1, 0};
}

std::vector<ParityClasses> parity_classes(const Network& network) {
  constexpr std::size_t most_axes = 6;
  const auto moduli = network.group().moduli();
  std::vector<std::uint64_t> bits;
  for (std::size_t axis = 0; axis < moduli.size() && bits.size() < most_axes; ++axis) {
    if (moduli[axis] % 2 == 0) bits.push_back(std::uint64_t{1} << axis);
  }
  std::vector<std::uint64_t> sums;
  for (std::uint64_t chosen = 1; chosen < std::uint64_t{1} << bits.size(); ++chosen) {
    std::uint64_t axes = 0;
    for (std::size_t i = 0; i < bits.size(); ++i) axes |= (chosen >> i & 1) != 0 ? bits[i] : 0;
    sums.push_back(axes);
  }
  std::ranges::stable_sort(sums, {}, [](std::uint64_t axes) { return std::popcount(axes); });
  std::vector<ParityClasses> result;
  for (const std::uint64_t axes : sums) result.push_back(classes_by(network, axes));
  return result;
}

}  // namespace isotrope::algorithm

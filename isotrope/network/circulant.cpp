// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/circulant.hpp"

#include <utility>

#include <fmt/format.h>

#include "isotrope/network/port_pairs.hpp"

namespace isotrope::network {

Network circulant(Coordinate modulus, std::span<const Coordinate> steps) {
  Group group({modulus});
  std::vector<Node> reduced;
  for (Coordinate step : steps) reduced.push_back(step % modulus);
  std::string name = fmt::format("circulant:{}:{}", modulus, fmt::join(reduced, ","));
  std::vector<Node> generators = port_pairs(group, reduced, name + ": step");
  return Network(std::move(name), std::move(group), std::move(generators));
}

}  // namespace isotrope::network

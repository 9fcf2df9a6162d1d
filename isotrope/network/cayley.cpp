// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/cayley.hpp"

#include <utility>

#include <fmt/format.h>

#include "isotrope/network/lattice_quotient.hpp"
#include "isotrope/network/port_pairs.hpp"

namespace isotrope::network {

Network cayley(std::vector<Coordinate> moduli, const std::vector<std::vector<Coordinate>>& generators) {
  Group group(std::move(moduli));
  std::vector<Node> elements;
  for (const auto& coordinates : generators) elements.push_back(group.number(coordinates));
  return Network("cayley", std::move(group), std::move(elements));
}

Network circulant(Coordinate modulus, std::span<const Coordinate> steps) {
  Group group({modulus});
  std::vector<Node> reduced;
  for (Coordinate step : steps) reduced.push_back(step % modulus);
  std::string name = fmt::format("circulant:{}:{}", modulus, fmt::join(reduced, ","));
  std::vector<Node> generators = port_pairs(group, reduced, name + ": step");
  return Network(std::move(name), std::move(group), std::move(generators));
}

Network lattice_torus(const std::vector<std::vector<std::int64_t>>& basis) {
  LatticeQuotient quotient = lattice_quotient(basis);
  std::vector<Node> generators = port_pairs(quotient.group, quotient.unit_vectors, "lattice torus: axis");
  return Network("cayley", std::move(quotient.group), std::move(generators));
}

}  // namespace isotrope::network

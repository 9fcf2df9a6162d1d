// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/lattice_torus.hpp"

#include <utility>

#include "isotrope/network/lattice_quotient.hpp"
#include "isotrope/network/port_pairs.hpp"

namespace isotrope::network {

Network lattice_torus(const std::vector<std::vector<std::int64_t>>& basis) {
  LatticeQuotient quotient = lattice_quotient(basis);
  std::vector<Node> generators = port_pairs(quotient.group, quotient.unit_vectors, "lattice torus: axis");
  return Network("cayley", std::move(quotient.group), std::move(generators));
}

}  // namespace isotrope::network

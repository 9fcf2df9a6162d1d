// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The groups of a given order: every way to write it as an ordered product of factors above 1.
//
//     12    12 | 2x6 3x4 4x3 6x2 | 2x2x3 2x3x2 3x2x2
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isotrope/network/group.hpp"

namespace isotrope::network {

/// Calls visit(moduli) for the factorisations of `order` into `factors` factors, until visit returns true.
/// @param moduli empty. @returns whether visit did
template <class Visit>
bool visit_factorisations(std::uint64_t order, std::size_t factors, std::vector<Coordinate>& moduli,
                          const Visit& visit) {
  if (factors == 1) {
    moduli.push_back(static_cast<Coordinate>(order));
    const bool done = visit(moduli);
    moduli.pop_back();
    return done;
  }
  for (std::uint64_t factor = 2; factor * 2 <= order; ++factor) {
    if (order % factor != 0) continue;
    moduli.push_back(static_cast<Coordinate>(factor));
    const bool done = visit_factorisations(order / factor, factors - 1, moduli, visit);
    moduli.pop_back();
    if (done) return true;
  }
  return false;
}

/// Calls visit(moduli) for all factorisations of `order` >= 2, those of few factors first, until visit returns true.
template <class Visit>
void visit_factorisations(std::uint64_t order, const Visit& visit) {
  std::vector<Coordinate> moduli;
  for (std::size_t factors = 1; (std::uint64_t{1} << factors) <= order; ++factors) {
    if (visit_factorisations(order, factors, moduli, visit)) return;
  }
}

}  // namespace isotrope::network

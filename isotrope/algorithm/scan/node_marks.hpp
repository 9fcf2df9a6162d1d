// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Random marks of nodes, 64 bits each, the same in every run: sums of marks tell sets of nodes apart.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::algorithm {

inline std::vector<std::uint64_t> node_marks(network::Node nodes) {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> marks(nodes);
  for (std::uint64_t& mark : marks) mark = random();
  return marks;
}

}  // namespace isotrope::algorithm

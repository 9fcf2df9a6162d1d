// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/cayley.hpp"

#include <utility>

namespace isotrope::network {

Network cayley(std::vector<Coordinate> moduli, const std::vector<std::vector<Coordinate>>& generators) {
  Group group(std::move(moduli));
  std::vector<Node> elements;
  for (const auto& coordinates : generators) elements.push_back(group.number(coordinates));
  return Network("cayley", std::move(group), std::move(elements));
}

}  // namespace isotrope::network

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/port_pairs.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::network {

std::vector<Node> port_pairs(const Group& group, std::span<const Node> steps, std::string_view noun) {
  const auto described = [&](std::size_t i) {
    return fmt::format("{} {} = ({})", noun, i + 1, fmt::join(group.coordinates(steps[i]), ","));
  };
  std::vector<Node> generators;
  std::map<Node, std::size_t> first_use;  // by the lesser of a step and its negative
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Node step = steps[i], negative = group.negate(step);
    if (step == 0)
      throw Error(fmt::format("{} leads from every node to itself: change it or leave it out", described(i)));
    const auto [earlier, is_new] = first_use.emplace(std::min(step, negative), i);
    if (!is_new)
      throw Error(fmt::format("{} leads to the same neighbours as {}: change it or leave it out",
                              described(i), described(earlier->second)));
    generators.push_back(step);
    if (negative != step) generators.push_back(negative);
  }
  return generators;
}

}  // namespace isotrope::network

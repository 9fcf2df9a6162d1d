// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/port_axis.hpp"

namespace isotrope::network {

std::optional<std::uint32_t> axis_of(const Network& network, Port port) {
  const Group& group = network.group();
  const Node generator = network.generators()[port];
  std::optional<std::uint32_t> result;
  for (std::uint32_t axis = 0; axis < group.rank(); ++axis) {
    if (group.coordinate(generator, axis) == 0) continue;
    if (result) return std::nullopt;
    result = axis;
  }
  return result;
}

}  // namespace isotrope::network

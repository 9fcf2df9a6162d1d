// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/overlay_routes.hpp"

#include "isotrope/network/shortest_routes.hpp"

namespace isotrope::cost {

OverlayRoutes::OverlayRoutes(const network::Network& machine, const network::Network& overlay) {
  const network::Group& group = machine.group();
  for (const Node offset : overlay.generators()) {
    auto& [even, odd] = ways_.emplace_back();
    even = network::shortest_route(machine, 0, offset);
    odd = network::shortest_route(machine, 0, group.negate(offset));
    for (Port& port : odd) port = machine.opposite(port);
  }
  parities_.assign(group.order(), 0);
  for (Node node = 0; node < group.order(); ++node) {
    for (std::size_t axis = 0; axis < group.rank(); ++axis)
      parities_[node] ^= static_cast<std::uint8_t>(group.coordinate(node, axis) & 1U);
  }
}

}  // namespace isotrope::cost

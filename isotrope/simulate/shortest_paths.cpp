// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/simulate/shortest_paths.hpp"

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::simulate {

ShortestPaths::ShortestPaths(const Network& network) {
  if (network.degree() > most_ports) {
    throw Error(fmt::format("{} has {} ports a node: packets are simulated on networks of at most {}",
                            network.name(), network.degree(), most_ports));
  }
  distances_.resize(network.order());
  for (Node node = 0; node < network.order(); ++node) distances_[node] = network.distance(0, node);
  ports_.resize(network.order());
  network.visit([&](const auto& /*neighbour*/, const auto& group) {
    for (Node node = 0; node < network.order(); ++node) {
      for (Port port = 0; port < network.degree(); ++port) {
        const Node next = group.subtract(node, network.generators()[port]);
        if (distances_[next] < distances_[node]) ports_[node] |= std::uint64_t{1} << port;
      }
    }
  });
}

}  // namespace isotrope::simulate

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/far_nodes.hpp"

#include <algorithm>
#include <vector>

namespace isotrope::schedule {
namespace {

using network::Network;
using network::Node;

constexpr std::uint64_t most_steps = std::uint64_t{1} << 26;

// Those of `nodes` at the diameter from `from`.
std::vector<Node> still_far(const Network& network, Node from, const std::vector<Node>& nodes,
                            std::uint32_t diameter) {
  std::vector<Node> result;
  std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(result),
               [&](Node node) { return network.distance(from, node) == diameter; });
  return result;
}

std::vector<Node> nodes_at_diameter(const Network& network, std::uint32_t diameter) {
  std::vector<Node> result;
  for (Node node = 0; node < network.order(); ++node) {
    if (network.distance(0, node) == diameter) result.push_back(node);
  }
  return result;
}

}  // namespace

std::uint64_t fewest_far_nodes(const Network& network) {
  const std::vector<std::uint64_t> counts = network.distance_counts();
  const std::uint64_t degree = network.degree();
  if (network.order() > most_steps || counts.back() > most_steps / (degree * degree * degree + 1)) return 0;
  const auto diameter = static_cast<std::uint32_t>(counts.size() - 1);
  const std::vector<Node> far = nodes_at_diameter(network, diameter);
  std::uint64_t fewest = far.size();
  for (const Node g : network.generators()) {
    const std::vector<Node> from_g = still_far(network, g, far, diameter);
    for (const Node h : network.generators()) {
      const std::vector<Node> from_h = still_far(network, h, from_g, diameter);
      for (network::Port k = 0; k < network.degree(); ++k) {
        const Node other = network.neighbour(g, k);
        fewest = std::min<std::uint64_t>(fewest, still_far(network, other, from_h, diameter).size());
      }
    }
  }
  return fewest;
}

}  // namespace isotrope::schedule

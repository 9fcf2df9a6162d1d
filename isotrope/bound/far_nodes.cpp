// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The far-nodes bound on broadcast over one port, for networks with many nodes at the diameter.
//
//     after 2 rounds     at most four nodes know the packet: 0, g, h and g + k, for some generators g, h, k
//     D rounds later     each of the four has reached one node at distance D at most, for the packet moved in
//                        every round on the way; four nodes at distance D from all four are informed, and no
//                        fifth
//
// If there are five such nodes wherever the packet went first, D the diameter, a broadcast takes D + 3 rounds or
// more. For P packets add P - 1: the last packet leaves the root P - 1 rounds later. A reduction takes as long.
//
// Source: Chen, Shin, Kandlur 1990, Theorem 3, here without the mesh: hexagonal meshes of size n >= 5 get n + 2.
// Cost: N distances, and degree^3 times the nodes at distance D.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "isotrope/bound/kinds.hpp"

namespace isotrope::bound {
namespace {

constexpr std::uint64_t most_steps = std::uint64_t{1} << 26;

// The nodes of `nodes` at the diameter from `from`.
std::vector<Node> still_far(const Network& network, Node from, const std::vector<Node>& nodes,
                            std::uint32_t diameter) {
  std::vector<Node> result;
  std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(result),
               [&](Node node) { return network.distance(from, node) == diameter; });
  return result;
}

}  // namespace

std::uint64_t fewest_far_nodes(const Network& network) {
  const std::vector<std::uint64_t> counts = network.distance_counts();
  const std::uint64_t degree = network.degree();
  if (network.order() > most_steps || counts.back() > most_steps / (degree * degree * degree + 1)) return 0;
  const auto diameter = static_cast<std::uint32_t>(counts.size() - 1);
  std::vector<Node> far;
  for (Node node = 0; node < network.order(); ++node) {
    if (network.distance(0, node) == diameter) far.push_back(node);
  }
  std::uint64_t fewest = far.size();
  for (const Node g : network.generators()) {
    const std::vector<Node> from_g = still_far(network, g, far, diameter);
    for (const Node h : network.generators()) {
      const std::vector<Node> from_h = still_far(network, h, from_g, diameter);
      for (Port k = 0; k < network.degree(); ++k) {
        const Node other = network.neighbour(g, k);
        fewest = std::min<std::uint64_t>(fewest, still_far(network, other, from_h, diameter).size());
      }
    }
  }
  return fewest;
}

// Nothing if it says no more than the distance bound does.
std::optional<Bound> far_nodes_bound(const GraphView& view) {
  constexpr std::uint64_t reached = 4;
  if (!view.is_symmetric() || view.traffic() != Traffic::one_to_all) return std::nullopt;
  if (view.port_limit() > 1 || view.wanted().back() <= reached) return std::nullopt;
  const std::uint64_t far = fewest_far_nodes(view.network());
  if (far <= reached) return std::nullopt;
  const std::uint64_t parts = view.parts(), diameter = view.diameter(), value = parts - 1 + diameter + 3;
  return Bound{
      "far-nodes", value,
      fmt::format(
          "the last of {} parts leaves the root in round {} or later; two rounds on at most 4 nodes know "
          "it, at least {} others are {} hops from all of them, and {} rounds reach 4 of those: "
          "{} + 2 + {} + 1 = {}",
          parts, parts, far, diameter, diameter, parts - 1, diameter, value)};
}

}  // namespace isotrope::bound

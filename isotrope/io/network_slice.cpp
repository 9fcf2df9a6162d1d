// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/network_slice.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "isotrope/network/part.hpp"

#include "isotrope/io/network_layout.hpp"
#include "isotrope/io/port_box.hpp"

namespace isotrope::io {
namespace {

using network::Failures;
using network::Link;
using network::Network;
using network::Node;
using network::Port;

// The number of nodes of the largest slice; 1 if there is none.
Node slice_size(const Network& network) {
  constexpr std::uint64_t most_in_depth = 256;  // of three axes or more
  const std::size_t most_axes = is_hypercube(network) ? 6 : 3;
  const auto moduli = network.group().moduli();
  std::uint64_t nodes = 1;
  for (std::size_t axes = 0; axes < std::min(most_axes, moduli.size()); ++axes) {
    const std::uint64_t larger = nodes * moduli[moduli.size() - 1 - axes];
    if (larger > (axes < 2 ? most_nodes_drawn : most_in_depth) || larger == network.order()) break;
    nodes = larger;
  }
  return static_cast<Node>(nodes);
}

// By port of the whole network, the port of the slice: the k-th of those that lead the same way has the same k.
std::vector<std::optional<Port>> ports_in(const Network& slice, const Network& whole) {
  std::vector<std::optional<Port>> result(whole.degree());
  std::vector<bool> taken(slice.degree());
  for (Port port = 0; port < whole.degree(); ++port) {
    const Node step = whole.generators()[port];
    for (Port own = 0; own < slice.degree() && !result[port]; ++own) {
      if (taken[own] || slice.generators()[own] != step) continue;
      taken[own] = true;
      result[port] = own;
    }
  }
  return result;
}

}  // namespace

std::optional<Link> NetworkSlice::own(Link link) const {
  if (!has(link.node) || !ports_[link.port]) return std::nullopt;
  return Link{link.node - first_, *ports_[link.port]};
}

std::optional<NetworkSlice> slice_of(const Network& network, const Failures& failed, Node node) {
  const Node size = slice_size(network);
  if (size == 1 || !failed.edges.empty()) return std::nullopt;
  const Node first = node / size * size;
  std::vector<Node> nodes(size);
  std::iota(nodes.begin(), nodes.end(), first);
  const auto part =
      network::part_of({.network = network, .lacks = Failures({}, {}, failed.open_axes)}, nodes);
  if (!part || !part->ranks.is_identity() || undrawable_reason(part->named.network)) return std::nullopt;
  NetworkSlice slice(part->named.network, first);
  slice.ports_ = ports_in(slice.network_, network);
  slice.failed_ = part->named.lacks;
  for (const Node lost : failed.nodes) {
    if (slice.has(lost)) slice.failed_.nodes.push_back(lost - first);
  }
  for (const Link link : failed.links) {
    if (const auto own = slice.own(link)) slice.failed_.links.push_back(*own);
  }
  return slice;
}

}  // namespace isotrope::io

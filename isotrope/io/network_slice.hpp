// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The slice of a network that is too large to draw: the nodes that agree in their first coordinates.
//
//     torus:32x32x32, node 5      nodes 0..1023, a torus:32x32
//     hypercube:12, node 100      nodes 64..127, a hypercube:6
//
// A slice has the last coordinates: two, three if these are 256 nodes at most, or six of a hypercube; and one if more would
// exceed the limits of a picture. Its links are those of the network between its nodes.
//
// Cost: O(nodes of the slice * axes + links that have failed).
#pragma once

#include <optional>
#include <vector>

#include "isotrope/network/failures.hpp"
#include "isotrope/network/network.hpp"

namespace isotrope::io {

/// Node v of the slice is node first + v of the network.
class NetworkSlice {
 public:
  const network::Network& network() const { return network_; }
  /// What the slice lacks.
  const network::Failures& failed() const { return failed_; }
  network::Node first() const { return first_; }

  bool has(network::Node node) const { return node >= first_ && node - first_ < network_.order(); }
  /// The link of the slice that is this one of the network; nothing if it leads out of the slice or lies elsewhere.
  std::optional<network::Link> own(network::Link link) const;

 private:
  friend std::optional<NetworkSlice> slice_of(const network::Network&, const network::Failures&,
                                              network::Node);
  NetworkSlice(network::Network network, network::Node first) : network_(std::move(network)), first_(first) {}

  network::Network network_;
  network::Node first_;
  network::Failures failed_;
  std::vector<std::optional<network::Port>> ports_;  // by port of the whole network
};

/// The slice that contains `node`. Nothing if the network is no product of lines, rings and complete graphs, if its
/// links are listed, or if its last axis alone is too large to draw.
std::optional<NetworkSlice> slice_of(const network::Network& network, const network::Failures& failed,
                                     network::Node node);

}  // namespace isotrope::io

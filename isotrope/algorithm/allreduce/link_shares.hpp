// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The links of a network after failures, numbered, and the share of its time for which each has to carry packets.
//
// If every node is to receive as much as every other one, links towards nodes with few links are busy longer. With
// shares f(u -> v) + f(v -> u) = 1 each node v receives sum f(u -> v) = E / N a round, for E links. A potential y with
// f(u -> v) = 1/2 + (y_v - y_u) / 2 gives the shares of least squares that do so.
//
//     line:3    0 -- 1 -- 2    E / N = 2/3    f(1 -> 0) = 2/3, f(0 -> 1) = 1/3
//
// Method: Gauss-Seidel relaxation in whole numbers, so that the result is the same on every machine. Shares that lie
// outside 0..1 are cut off. Cost: O(links) a sweep.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/surviving_network.hpp"

namespace isotrope::algorithm {

/// A directed link that carries. Nodes are numbered as SurvivingNetwork::nodes() lists them.
struct Arc {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  network::Port port = 0;      ///< of the sender
  std::uint32_t opposite = 0;  ///< the arc the other way round
};

class ArcGraph {
 public:
  explicit ArcGraph(const network::SurvivingNetwork& network);

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  std::uint32_t arcs() const { return static_cast<std::uint32_t>(arcs_.size()); }
  const Arc& operator[](std::uint32_t arc) const { return arcs_[arc]; }
  /// The arcs into a node, numbered one after the other.
  std::span<const Arc> into(std::uint32_t node) const {
    return std::span(arcs_).subspan(first_[node], first_[node + 1] - first_[node]);
  }
  std::uint32_t first_into(std::uint32_t node) const { return first_[node]; }

  /// Hops from a node to every node.
  std::vector<std::uint32_t> distances(std::uint32_t from) const;

 private:
  std::vector<Arc> arcs_;             // by receiver
  std::vector<std::uint32_t> first_;  // by node
};

/// The share of 2^32 of every arc.
std::vector<std::uint64_t> link_shares(const ArcGraph& graph);

}  // namespace isotrope::algorithm

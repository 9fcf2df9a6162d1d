// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The trees along which the blocks of an allgather spread from their origins, or the sums of a reduce-scatter come together,
// for any sizes of blocks; as one node sees them. Part k of the block of an origin goes along tree k of that origin.
//
//     disjoint    On a symmetric network: as many trees as a node has ports, without a common link
//                 (algorithm/trees/disjoint_trees.hpp), translated to every origin. Each tree of an origin enters a node
//                 over another of its ports. So if M bytes are gathered, m of them the node's own, (M - m) / degree enter
//                 over each port, whatever the sizes of single blocks: no schedule takes less time. Backwards, so many
//                 leave over each port, and every node must let out a sum for every other node.
//     shortest    On any network: trees of shortest paths. A node takes each tree from one of its neighbours that are closer
//                 to the origin, drawn by a hash of origin, node and tree, so all nodes agree. Loads are even on average
//                 only.
//
// Cost: O(N degree) a node, 4 bytes per child; disjoint trees are searched once a process (disjoint_trees.hpp: up to a
// second), the other ones take the tables of all neighbours.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/forward/shortest_ports.hpp"

namespace isotrope::forward {

class SpreadTrees {
 public:
  using Lane = ShortestPorts::Lane;
  /// The way to a child.
  struct Branch {
    Lane lane;
    /// Hops from here to the farthest node beyond; in trees of shortest paths there may be fewer.
    std::uint16_t left;
  };

  /// Those of the node of `ports`, disjoint if the network is symmetric and the search succeeds. All nodes get trees of the
  /// same kind. @pre two nodes or more; all can reach each other
  static SpreadTrees of(const network::SurvivingNetwork& network, const ShortestPorts& ports);
  static std::optional<SpreadTrees> disjoint(const network::SurvivingNetwork& network,
                                             const ShortestPorts& ports);
  /// @param count trees per origin, 1 or more
  static SpreadTrees shortest(const network::SurvivingNetwork& network, const ShortestPorts& ports,
                              std::uint32_t count);

  /// Trees per origin.
  std::uint32_t count() const { return count_; }
  /// At least the hops from any origin to the farthest node.
  std::uint32_t height() const { return height_; }
  /// To the children of the node in that tree of `origin`.
  std::span<const Branch> children(Node origin, std::uint32_t tree) const {
    const std::size_t index = std::size_t{origin} * count_ + tree;
    return std::span(children_).subspan(first_[index], first_[index + 1] - first_[index]);
  }
  /// The lane to the parent. @pre the node is not the origin
  Lane entry(Node origin, std::uint32_t tree) const { return place(origin, tree).entry; }
  /// Hops from the origin to the node.
  std::uint32_t depth(Node origin, std::uint32_t tree) const { return place(origin, tree).depth; }

 private:
  // The node in a tree.
  struct Place {
    Lane entry;
    std::uint16_t depth;
  };

  SpreadTrees(std::uint32_t count, std::uint32_t height) : count_(count), height_(height) {}
  void add(Place place, std::span<const Branch> children);
  Place place(Node origin, std::uint32_t tree) const { return places_[std::size_t{origin} * count_ + tree]; }

  std::uint32_t count_, height_;
  std::vector<std::uint32_t> first_ = {0};  // by origin, then tree
  std::vector<Branch> children_;
  std::vector<Place> places_;  // by origin, then tree
};

}  // namespace isotrope::forward

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Spanning trees for scans: below every node lies a run of consecutive numbers, the node's own among them.
//
//     mesh:3x3, root 4         4            below 1: 0 1 2      below 3: 3
//                        1   3   5   7      below 7: 6 7 8      below 5: 5
//                       0 2         6 8
//
// What a subtree adds up is then a sum of consecutive nodes, and all that a node lacks comes from before its subtree: one sum up
// and one sum down an edge serve every node (interval_scan.hpp). Numbers are those of the nodes that are left, in order.
//
// Method: from the root down. The run of a node has a side before it and one after it. Its neighbours in a side become its
// children and divide the side, by which of them is nearer within the side. A side without a neighbour hangs below its
// nearest node, over a shortest way through other nodes, one of the least loaded. On products of lines and rings the tree is
// one of shortest ways from its root.
//
//     spread      all neighbours in a side become children: low trees
//     halving     one a side, nearest to its middle: few messages at a node
//     path        the node before each: no sum goes down, so half the messages, but the highest tree
//
// Cost: O(height * links), and for each side without a neighbour its places and the shortest ways to the nearest of them; a search of up
// to O(links) once for each of these nodes, or for each side if memory for the distances is spent.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/distance_rows.hpp"
#include "isotrope/network/failures.hpp"
#include "isotrope/network/surviving_network.hpp"

namespace isotrope::algorithm {

enum class IntervalShape { spread, halving, path };

/// Messages on every directed link so far.
class LinkLoads {
 public:
  explicit LinkLoads(const network::SurvivingNetwork& network);

  /// On a link in both directions, by its node and its place among the ports of the node.
  std::uint32_t both_ways(network::Node node, std::size_t place) const {
    return both_ways_[first_[node] + place];
  }
  void add(const network::Link& link);
  /// Of one direction.
  std::uint32_t largest() const;
  std::uint64_t sum_of_squares() const;

 private:
  std::size_t place_of(const network::Link& link) const;

  const network::SurvivingNetwork* network_;
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> one_way_, both_ways_;
};

struct IntervalTree {
  /// A node with its run of places among the nodes that are left, and how it hangs below its parent.
  struct Branch {
    std::uint32_t place;             ///< of the node
    std::uint32_t low;               ///< the first place of its run
    std::uint32_t high;              ///< the last one
    std::uint32_t parent;            ///< a number of a branch; of the root 0
    std::vector<network::Link> way;  ///< from the parent; empty for the root
  };
  std::vector<Branch> branches;  ///< the root first, every one after its parent
};

/// The tree of the nodes that are left, rooted at the one in `root_place`. A path is rooted in the last one. Ways avoid
/// the messages of `loads` and each other. `rows` are of the network.
/// @pre the nodes are connected
IntervalTree interval_tree(const network::SurvivingNetwork& network, IntervalShape shape,
                           std::uint32_t root_place, LinkLoads loads, network::DistanceRows& rows);

}  // namespace isotrope::algorithm

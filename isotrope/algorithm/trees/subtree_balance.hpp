// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Balances the subtrees of a root by moving nodes between them.
//
// Every node of depth 1 is the top of a subtree, and every deeper node hangs in the subtree of one of its
// predecessors, any of them. A node can move to the subtree of another predecessor if no node behind it needs it,
// that is if every successor in its own subtree has a second predecessor there. Moves form chains:
//
//     subtree a, 9 nodes --v--> subtree b, 8 --w--> subtree c, 7        v hangs in b, w in c: 8, 8, 8
//
// Method: while a chain leads from the largest subtree to one that is smaller by two or more, the shortest such
// chain is followed. It is found by breadth-first search over the subtrees. Each subtree lists the nodes that may
// move; a node that cannot move leaves the list until a node beside it moves.
// Cost: O(N) for the lists and O(degree^2) per node looked at; memory 8 bytes per node.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/algorithm/trees/layers.hpp"

namespace isotrope::algorithm {

class SubtreeBalance {
 public:
  /// `subtrees` holds the subtree of every node but the root, named by the root's port, or the degree for a node
  /// without a subtree; `loads` holds the values to even: the number of nodes of every subtree plus any constant.
  /// Refers to all four.
  SubtreeBalance(const network::Network& network, const Layers& layers, std::vector<network::Port>& subtrees,
                 std::vector<std::uint64_t>& loads);

  /// Evens the loads until all differ by one at most or no chain is found. The first node to move is one of
  /// `nodes`, which must have subtrees; a move allows nodes nearby to move as well.
  void even(std::span<const network::Node> nodes);

 private:
  // The last step of a search to a subtree: `node` can move there from `from`.
  struct SubtreeStep {
    network::Node node;
    network::Port from;
  };

  // Stands for no subtree.
  network::Port nowhere() const { return static_cast<network::Port>(loads_.size()); }

  void list(network::Node node);
  network::Port largest_unsettled() const;
  bool shrink(network::Port largest);
  network::Port reach_smaller(network::Port from, std::uint64_t limit);
  network::Port reach_through(network::Node node, std::uint64_t limit);
  bool move_along(network::Port largest, network::Port last);
  void move(network::Node node, network::Port to);

  template <class Test>
  bool has_predecessor(network::Node node, Test test) const;
  bool has_choice(network::Node node, network::Port from) const;
  bool is_needed(network::Node node) const;

  const network::Network& network_;
  const Layers& layers_;
  std::vector<network::Port>& subtrees_;
  std::vector<std::uint64_t>& loads_;

  std::vector<std::vector<network::Node>> movable_;  // by subtree: every node that can move, and others
  std::vector<network::Port> listed_;                // by node: the subtree that lists it
  std::vector<bool> settled_;                        // by subtree: no chain leads on from it
  std::vector<bool> reached_;                        // by subtree, in one search, as the next two
  std::vector<SubtreeStep> links_;
  std::vector<network::Port> queue_;
};

}  // namespace isotrope::algorithm

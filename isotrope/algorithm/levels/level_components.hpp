// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The components of a plan by levels (levels.hpp), and the blocks that they own. Level i has the nodes that the
// divisions from i on, and the programs, join; level 0 is all nodes, the last level what the programs alone join. A
// component is called by its smallest node. The blocks are numbered by the components of the last level, which own
// one each.
//
//     ring:4, division x ^ 1, program 0 <-> 3, 1 <-> 2    level 0 {0 1 2 3}, level 1 {0 3} {1 2}: blocks 0 and 1
//
// Cost: O(N r) per division, O(N blocks) per walk through the transfers of a division.
#pragma once

#include <cstddef>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/algorithm/levels/level_plan.hpp"

namespace isotrope::algorithm {

class LevelComponents {
 public:
  using Node = network::Node;

  /// `plan` must outlive this. @throws Error if a division does not split its components, or messages do not join all
  LevelComponents(const LevelPlan& plan, Node nodes);

  std::size_t blocks() const { return owners_.size(); }
  /// The smallest node of the component of the last level that owns the block.
  Node owner(std::size_t block) const { return owners_[block]; }
  /// All nodes of that component.
  const std::vector<Node>& members(std::size_t block) const { return members_[owners_[block]]; }
  /// Whether the block belongs to the component of the node at that level.
  bool owns(std::size_t level, Node node, std::size_t block) const {
    return levels_[level][node] == levels_[level][owners_[block]];
  }

  /// Calls visit(outer, inner, block) for all blocks and partners of a division: `inner` lies in the component, one
  /// level on, that owns the block, and its partner `outer` elsewhere in the component around.
  template <class Visit>
  void each_transfer(std::size_t division, Visit visit) const {
    const std::vector<Node>&parents = levels_[division], &children = levels_[division + 1];
    for (std::size_t block = 0; block < owners_.size(); ++block) {
      const Node parent = parents[owners_[block]], child = children[owners_[block]];
      for (const Permutation& partner : plan_.divisions[division]) {
        for (Node outer = 0; outer < parents.size(); ++outer) {
          const Node inner = partner[outer];
          if (parents[outer] == parent && children[inner] == child) visit(outer, inner, block);
        }
      }
    }
  }

 private:
  void require_joined() const;
  void require_split(std::size_t division) const;

  const LevelPlan& plan_;
  std::vector<std::vector<Node>> levels_;   // the component of every node
  std::vector<Node> owners_;                // by block
  std::vector<std::vector<Node>> members_;  // by smallest node, those of the last level
};

}  // namespace isotrope::algorithm

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/tree_groups.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace isotrope::algorithm {
namespace {

using network::Node;
using network::Port;

using Group = std::vector<Port>;

class Grouping {
 public:
  Grouping(std::span<const std::uint32_t> depths, std::span<const Node> parents, Port trees)
      : depths_(depths),
        parents_(parents),
        trees_(trees),
        nodes_(depths.size() / trees),
        words_((nodes_ + 63) / 64) {}

  std::uint32_t greatest_height() const {
    std::uint32_t greatest = 0;
    for (std::size_t i = trees_; i < depths_.size(); ++i) greatest = std::max(greatest, depths_[i]);
    return greatest;
  }

  // Groups that are no higher than `height`.
  GroupLevel level(std::uint32_t height) {
    cover(height);
    GroupLevel result;
    std::vector<Port> left;
    for (Port tree = 0; tree < trees_; ++tree) {
      if (covered_by(tree) == nodes_) {
        result.groups.push_back({tree});
      } else {
        left.push_back(tree);
      }
    }
    for (Group group = take(left); !group.empty(); group = take(left)) result.groups.push_back(group);
    for (const Group& group : result.groups) add_times(group, result);
    return result;
  }

 private:
  // The root counts as covered.
  void cover(std::uint32_t height) {
    covers_.assign(trees_ * words_, 0);
    for (std::size_t node = 0; node < nodes_; ++node) {
      for (Port tree = 0; tree < trees_; ++tree) {
        if (node == 0 || depths_[node * trees_ + tree] <= height)
          covers_[tree * words_ + node / 64] |= std::uint64_t{1} << (node % 64);
      }
    }
  }

  std::span<const std::uint64_t> words_of(Port tree) const {
    return std::span(covers_).subspan(tree * words_, words_);
  }

  std::size_t covered_by(Port tree) const {
    std::size_t count = 0;
    for (const std::uint64_t word : words_of(tree)) count += static_cast<std::size_t>(std::popcount(word));
    return count;
  }

  std::size_t covered_with(Port tree, std::span<const std::uint64_t> covered) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < words_; ++i)
      count += static_cast<std::size_t>(std::popcount(covered[i] | words_of(tree)[i]));
    return count;
  }

  // Takes out of `left` a group that covers all nodes, that of its first tree; empty if there is none.
  Group take(std::vector<Port>& left) const {
    Group group;
    std::vector<std::uint64_t> covered(words_, 0);
    std::size_t next = 0;
    for (std::size_t count = 0; count < nodes_;) {
      if (next == left.size()) return {};
      const Port tree = left[next];
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(next));
      group.push_back(tree);
      for (std::size_t i = 0; i < words_; ++i) covered[i] |= words_of(tree)[i];
      std::size_t most = count = covered_with(tree, covered);
      next = left.size();
      for (std::size_t i = 0; i < left.size(); ++i) {
        const std::size_t with = covered_with(left[i], covered);
        if (with <= most) continue;
        most = with;
        next = i;
      }
    }
    return group;
  }

  // The tree of the group in which the node is least deep.
  Port tree_of(std::size_t node, const Group& group) const {
    return *std::ranges::min_element(group, {}, [&](Port tree) { return depths_[node * trees_ + tree]; });
  }

  void add_times(const Group& group, GroupLevel& level) const {
    std::vector<std::uint32_t> rounds(nodes_, 0);  // after which each node has a packet of the group
    for (std::size_t node = 1; node < nodes_; ++node) {
      rounds[node] = depths_[node * trees_ + tree_of(node, group)];
      level.height = std::max(level.height, rounds[node]);
    }
    for (std::size_t node = 1; node < nodes_; ++node)
      level.waits |= rounds[parents_[node * trees_ + tree_of(node, group)]] + 1 < rounds[node];
  }

  std::span<const std::uint32_t> depths_;
  std::span<const Node> parents_;
  std::size_t trees_, nodes_, words_;
  std::vector<std::uint64_t> covers_;  // by tree: a bit a node
};

}  // namespace

std::vector<GroupLevel> group_levels(std::span<const std::uint32_t> depths, std::span<const Node> parents,
                                     Port trees) {
  Grouping grouping(depths, parents, trees);
  std::vector<GroupLevel> result;
  for (std::uint32_t height = grouping.greatest_height();; --height) {
    GroupLevel level = grouping.level(height);
    if (level.groups.empty()) return result;
    height = level.height;
    // As many groups at a lower height need no higher ones.
    while (!result.empty() && result.back().groups.size() <= level.groups.size()) result.pop_back();
    result.push_back(std::move(level));
    if (height == 0) return result;
  }
}

}  // namespace isotrope::algorithm

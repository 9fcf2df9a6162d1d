// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/staggered_trees.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace isotrope::algorithm {
namespace {

using network::Node;
using network::Port;

// The nodes of a packet by the number of the tree, in the order of its entries.
using Shares = std::vector<std::uint8_t>;

class Staggering {
 public:
  Staggering(std::span<const std::uint32_t> depths, std::span<const Node> parents, Port trees,
             std::uint64_t hop_rounds)
      : depths_(depths),
        parents_(parents),
        trees_(trees),
        nodes_(static_cast<Node>(depths.size() / trees)),
        hop_rounds_(hop_rounds),
        heights_(trees, 0) {
    for (Node node = 1; node < nodes_; ++node) {
      for (Port tree = 0; tree < trees; ++tree) heights_[tree] = std::max(heights_[tree], depth(node, tree));
    }
    height_ = std::ranges::max(heights_);
    for (Node node = 1; node < nodes_; ++node) {
      std::uint32_t least = height_;
      for (Port tree = 0; tree < trees; ++tree) least = std::min(least, depth(node, tree));
      farthest_ = std::max(farthest_, least);
    }
    is_taken_.assign(trees, std::vector<bool>(last_rounds() + 1, false));
  }

  bool is_affordable() const {
    constexpr std::uint64_t most = std::uint64_t{1} << 21;
    return std::uint64_t{trees_} * trees_ * trees_ * nodes_ <= most / std::max(height_, 1U);
  }

  std::vector<StaggeredPacket> run() {
    std::vector<StaggeredPacket> result;
    for (std::uint64_t left = last_rounds(); left > 0 && reach(left) >= farthest_; --left) {
      for (Port tree = 0; tree < trees_; ++tree) {
        if (is_taken_[tree][left] || is_hopeless(tree, left)) continue;
        auto packet = beginning_with({tree, left});
        if (!packet) {
          hopeless_.emplace_back(tree, reach(left));
          continue;
        }
        for (const TreeEntry& entry : packet->entries) is_taken_[entry.tree][entry.left] = true;
        result.push_back(std::move(*packet));
      }
    }
    return result;
  }

 private:
  std::uint64_t last_rounds() const { return height_ < 2 ? 0 : hop_rounds_ * (height_ - 1); }
  std::uint32_t reach(std::uint64_t left) const {
    return static_cast<std::uint32_t>(1 + (left - 1) / hop_rounds_);
  }
  std::uint64_t rounds_to(std::uint32_t least) const { return hop_rounds_ * (least - 1) + 1; }
  Node parent(Node node, Port tree) const { return parents_[std::size_t{node} * trees_ + tree]; }
  std::uint32_t depth(Node node, Port tree) const { return depths_[std::size_t{node} * trees_ + tree]; }

  // An entry that reaches as deep found none, and fewer are free now.
  bool is_hopeless(Port tree, std::uint64_t left) const {
    return std::ranges::find(hopeless_, std::pair(tree, reach(left))) != hopeless_.end();
  }

  std::optional<StaggeredPacket> beginning_with(TreeEntry first) {
    if (reach(first.left) >= heights_[first.tree])
      return StaggeredPacket{{first}, std::vector<Port>(nodes_, first.tree), heights_[first.tree]};
    if (auto packet = of_two(first)) return packet;
    return of_three(first);
  }

  // The latest free entry of the tree from which depth `least` is reached, not before `first`.
  std::optional<TreeEntry> free_entry(Port tree, std::uint32_t least, TreeEntry first) const {
    for (std::uint64_t left = rounds_to(least); left <= first.left; ++left) {
      if (!is_taken_[tree][left]) return TreeEntry{tree, left};
    }
    return std::nullopt;
  }

  std::optional<StaggeredPacket> of_two(TreeEntry first) {
    std::optional<TreeEntry> best;
    for (Port tree = 0; tree < trees_; ++tree) {
      if (tree == first.tree) continue;
      const std::uint32_t rest = depth_for_rest(first, tree);
      const auto entry = rest == 0 ? std::nullopt : free_entry(tree, rest, first);
      if (entry && (!best || entry->left < best->left)) best = entry;
    }
    if (!best) return std::nullopt;
    return packet_of({first, *best});
  }

  // The depth in `tree` of what the first entry leaves out. Kept, as many entries reach as deep.
  std::uint32_t depth_for_rest(TreeEntry first, Port tree) {
    const auto [known, is_new] = rest_depths_.try_emplace({first.tree, reach(first.left), tree}, 0);
    if (is_new)
      known->second = deepest(shared_among({first.tree, tree}, {reach(first.left), height_}), 1, tree);
    return known->second;
  }

  std::optional<StaggeredPacket> of_three(TreeEntry first) {
    std::optional<std::pair<TreeEntry, TreeEntry>> best;
    for (Port second = 0; second < trees_; ++second) {
      if (second == first.tree) continue;
      const auto entry = earliest_free(second, first);
      if (!entry) continue;
      for (Port third = 0; third < trees_; ++third) {
        if (third == first.tree || third == second) continue;
        const Shares shares =
            shared_among({first.tree, second, third}, {reach(first.left), reach(entry->left), height_});
        const std::uint32_t rest = deepest(shares, 2, third);
        const auto last = rest == 0 ? std::nullopt : free_entry(third, rest, first);
        if (!last) continue;
        // The second one may come later than need be.
        const auto middle = free_entry(second, std::max(deepest(shares, 1, second), 1U), first);
        if (!middle) continue;
        if (!best || middle->left + last->left < best->first.left + best->second.left)
          best = {*middle, *last};
      }
    }
    if (!best) return std::nullopt;
    return packet_of({first, best->first, best->second});
  }

  // The free entry with the most rounds left, not before `first`.
  std::optional<TreeEntry> earliest_free(Port tree, TreeEntry first) const {
    for (std::uint64_t left = first.left; left > 0; --left) {
      if (!is_taken_[tree][left]) return TreeEntry{tree, left};
    }
    return std::nullopt;
  }

  std::optional<StaggeredPacket> packet_of(std::vector<TreeEntry> entries) const {
    std::vector<Port> trees;
    std::vector<std::uint32_t> reaches;
    for (const TreeEntry& entry : entries) {
      trees.push_back(entry.tree);
      reaches.push_back(reach(entry.left));
    }
    const Shares shares = shared_among(trees, reaches);
    if (shares.empty()) return std::nullopt;
    StaggeredPacket result{std::move(entries), std::vector<Port>(nodes_, 0)};
    for (Node node = 1; node < nodes_; ++node) result.tree_of[node] = trees[shares[node]];
    std::ranges::stable_sort(result.entries, std::ranges::greater(), &TreeEntry::left);
    for (Node node = 1; node < nodes_; ++node) {
      const Port tree = result.tree_of[node];
      result.rounds = std::max(result.rounds, result.delay(tree) + depth(node, tree));
    }
    return result;
  }

  // The nodes by tree, each in the first one that reaches it with all its ancestors; empty if some are in none.
  Shares shared_among(const std::vector<Port>& trees, const std::vector<std::uint32_t>& reaches) const {
    Shares result(nodes_, 0);
    const auto settle = [&](Node node) {
      while (result[node] < trees.size() && depth(node, trees[result[node]]) > reaches[result[node]])
        ++result[node];
    };
    for (Node node = 1; node < nodes_; ++node) settle(node);
    for (bool changed = true; changed;) {
      changed = false;
      for (Node node = 1; node < nodes_; ++node) {
        if (result[node] >= trees.size()) return {};
        const Node before = parent(node, trees[result[node]]);
        if (before == 0 || result[before] == result[node]) continue;
        const Node moved = result[before] < result[node] ? before : node;
        result[moved] = std::max(result[before], result[node]);
        settle(moved);
        changed = true;
      }
    }
    return result;
  }

  std::uint32_t deepest(const Shares& shares, std::uint8_t share, Port tree) const {
    std::uint32_t result = 0;
    for (Node node = 1; node < shares.size(); ++node) {
      if (shares[node] == share) result = std::max(result, depth(node, tree));
    }
    return result;
  }

  std::span<const std::uint32_t> depths_;
  std::span<const Node> parents_;
  Port trees_;
  Node nodes_;
  std::uint64_t hop_rounds_;
  std::vector<std::uint32_t> heights_;  // by tree
  std::uint32_t height_ = 0;
  std::uint32_t farthest_ = 0;  // depth of the farthest node, each in the tree in which it is least deep
  std::vector<std::vector<bool>> is_taken_;               // entries, by tree and rounds left
  std::vector<std::pair<Port, std::uint32_t>> hopeless_;  // trees and reaches
  std::map<std::tuple<Port, std::uint32_t, Port>, std::uint32_t> rest_depths_;
};

}  // namespace

std::uint64_t StaggeredPacket::delay(Port tree) const {
  return left() - std::ranges::find(entries, tree, &TreeEntry::tree)->left;
}

std::vector<StaggeredPacket> staggered_packets(std::span<const std::uint32_t> depths,
                                               std::span<const Node> parents, Port trees,
                                               std::uint64_t hop_rounds) {
  Staggering staggering(depths, parents, trees, hop_rounds);
  return staggering.is_affordable() ? staggering.run() : std::vector<StaggeredPacket>();
}

}  // namespace isotrope::algorithm

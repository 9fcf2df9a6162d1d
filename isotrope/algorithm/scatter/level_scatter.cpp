// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scatter/level_scatter.hpp"

#include <utility>
#include <vector>

#include "isotrope/schedule/transform.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using schedule::Hop;

class LevelScatter {
 public:
  LevelScatter(const Network& network, const RootedTree& tree, std::uint32_t parts, std::uint64_t merge)
      : network_(network), tree_(tree), parts_(parts), merge_(merge), levels_(tree.height(0) + 1) {
    std::vector<std::uint32_t> by_preorder(tree.size());
    for (std::uint32_t i = 0; i < tree.size(); ++i) by_preorder[tree.preorder(i)] = i;
    for (const std::uint32_t i : by_preorder) levels_[tree.depth(i)].push_back({i, 0});
  }

  schedule::Stage run() {
    std::uint64_t hops = 0;
    for (std::size_t depth = 0; depth < levels_.size(); ++depth) hops += depth * levels_[depth].size();
    stage_.rounds.reserve(0, hops * parts_);
    for (std::size_t nearest = levels_.size() - 1; nearest > 0; --nearest) {
      for (std::size_t depth = nearest; depth < levels_.size(); ++depth) advance(levels_[depth]);
      close_step();
    }
    return std::move(stage_);
  }

 private:
  // The destination of some packets and their current tree node.
  struct Traveller {
    std::uint32_t to;
    std::uint32_t at;
  };

  // Moves the packets of a level by one edge. Packets that share an edge are neighbours in preorder.
  void advance(std::vector<Traveller>& level) {
    std::uint32_t edge = 0;
    std::uint64_t load = 0;
    for (Traveller& flight : level) {
      const std::uint32_t child = tree_.child_towards(flight.at, flight.to);
      if (child != edge) load = 0;
      edge = child;
      for (std::uint32_t part = 0; part < parts_; ++part) send(flight, child, part, load++ / merge_);
      flight.at = child;
    }
  }

  void send(const Traveller& flight, std::uint32_t child, std::uint32_t part, std::uint64_t round) {
    if (round == step_.size()) step_.emplace_back();
    const network::Node relative = network_.group().subtract(tree_.node(flight.to), tree_.node(0));
    step_[round].push_back({relative * parts_ + part, tree_.node(flight.at), tree_.port(child)});
  }

  void close_step() {
    append(step_, stage_.rounds);
    step_.clear();
  }

  const Network& network_;
  const RootedTree& tree_;
  std::uint32_t parts_;
  std::uint64_t merge_;
  std::vector<std::vector<Traveller>> levels_;  // by depth, each in preorder
  std::vector<std::vector<Hop>> step_;          // the rounds of the step under construction
  schedule::Stage stage_;
};

}  // namespace

schedule::Schedule level_scatter(const Network& network, const RootedTree& tree, std::uint32_t parts,
                                 std::uint64_t merge) {
  schedule::Schedule result{schedule::PortModel::all(), schedule::RoundKind::aggregated, {}};
  result.stages.push_back(LevelScatter(network, tree, parts, merge).run());
  return result;
}

}  // namespace isotrope::algorithm

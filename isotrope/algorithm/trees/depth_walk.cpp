// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/depth_walk.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "isotrope/algorithm/trees/link_exchange.hpp"

namespace isotrope::algorithm {
namespace {

using Node = LinkTable::Node;
using Tree = LinkTable::Tree;

// Random numbers are below this many levels of depth. Of 10 walks with other seeds, those that arrived at the
// diameter + 1:          1    1.5    2    2.5    3    4
//     torus:3x4x5       10    10    10     1     0    0
//     torus:7x7          0     1     5     4     2    0
//     torus:8x8          7     9    10    10    10   10
//     torus:12x12        5     8     7     8     9    8
constexpr double most_noise = 2;

class DepthWalk {
 public:
  DepthWalk(LinkTable& links, std::uint32_t height) : links_(links), exchange_(links), height_(height) {}

  bool run(std::uint64_t most_steps) {
    const std::uint64_t end = links_.steps() + most_steps;
    while (find_deep_places()) {
      if (links_.steps() >= end) return false;
      move(ancestor(deep_[random_() % deep_.size()]));
    }
    return true;
  }

 private:
  struct TreePosition {
    Node node;
    Tree tree;
  };

  bool find_deep_places() {
    deep_.clear();
    for (Node node = 1; node < links_.order(); ++node) {
      for (Tree tree = 0; tree < links_.degree(); ++tree)
        if (links_.depth(node, tree) > height_) deep_.push_back({node, tree});
    }
    links_.add_steps(std::uint64_t{links_.order()} * links_.degree() / depths_a_step);
    return !deep_.empty();
  }

  // A node on the way to the root, one as likely as the other.
  Node ancestor(TreePosition place) {
    for (std::uint64_t up = random_() % links_.depth(place.node, place.tree); up > 0; --up)
      place.node = links_.parent(place.node, place.tree);
    return place.node;
  }

  void move(Node node) {
    exchange_.weigh(node, [this](std::span<const std::uint32_t> depths) {
      count(depths);
      return [this](int deeper) { return excess(deeper) + noise(); };
    });
    links_.share_out(node, exchange_.least());
  }

  void count(std::span<const std::uint32_t> depths) {
    by_depth_.assign(*std::max_element(depths.begin(), depths.end()) + 1, 0);
    for (const std::uint32_t depth : depths) ++by_depth_[depth];
  }

  // What those counted are too deep together, once they are so much deeper.
  double excess(int deeper) const {
    double sum = 0;
    const int first = std::max(static_cast<int>(height_) - deeper + 1, 0);
    for (auto depth = static_cast<std::size_t>(first); depth < by_depth_.size(); ++depth)
      sum += by_depth_[depth] * (static_cast<double>(depth) + deeper - height_);
    return sum;
  }

  double noise() { return std::ldexp(most_noise * static_cast<double>(random_()), -32); }

  // A scan of all depths is cheap beside the walks along trees that steps count.
  static constexpr std::uint64_t depths_a_step = 16;

  LinkTable& links_;
  LinkExchange exchange_;
  std::uint32_t height_;
  std::mt19937 random_;
  std::vector<TreePosition> deep_;
  std::vector<std::uint32_t> by_depth_;
};

}  // namespace

bool walk_to_height(LinkTable& links, std::uint32_t height, std::uint64_t most_steps) {
  return DepthWalk(links, height).run(most_steps);
}

}  // namespace isotrope::algorithm

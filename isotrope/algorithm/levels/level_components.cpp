// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/levels/level_components.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;

// The components that permutations join, by their smallest node.
class JoinedComponents {
 public:
  explicit JoinedComponents(Node nodes) : parent_(nodes) {
    std::iota(parent_.begin(), parent_.end(), Node{0});
  }

  void join(const Permutation& permutation) {
    for (Node node = 0; node < parent_.size(); ++node) {
      const Node a = of(node), b = of(permutation[node]);
      parent_[std::max(a, b)] = std::min(a, b);
    }
  }
  Node of(Node node) {
    while (parent_[node] != node) {
      parent_[node] = parent_[parent_[node]];
      node = parent_[node];
    }
    return node;
  }
  std::vector<Node> all() {
    std::vector<Node> result(parent_.size());
    for (Node node = 0; node < result.size(); ++node) result[node] = of(node);
    return result;
  }

 private:
  std::vector<Node> parent_;
};

// The component of every node, by level: level i + 1 is what division i leaves joined.
std::vector<std::vector<Node>> components_by_level(const LevelPlan& plan, Node nodes) {
  JoinedComponents components(nodes);
  for (const RegisterStep* step : steps_of(plan)) {
    for (const RegisterSend& send : *step) components.join(send.to);
  }
  std::vector<std::vector<Node>> result{components.all()};
  for (std::size_t i = plan.divisions.size(); i-- > 0;) {
    for (const Permutation& partner : plan.divisions[i]) components.join(partner);
    result.push_back(components.all());
  }
  std::ranges::reverse(result);
  return result;
}

}  // namespace

std::uint32_t block_count(const LevelPlan& plan) {
  std::uint32_t result = 1;
  for (const auto& partners : plan.divisions) result *= static_cast<std::uint32_t>(partners.size()) + 1;
  return result;
}

std::vector<const RegisterStep*> steps_of(const LevelPlan& plan) {
  std::vector<const RegisterStep*> result;
  for (const RegisterProgram& program : plan.programs) {
    for (const RegisterStep& step : program) result.push_back(&step);
  }
  return result;
}

std::size_t most_messages(const LevelPlan& plan) {
  std::size_t result = 0;
  for (const auto& division : plan.divisions) result = std::max(result, division.size());
  for (const RegisterStep* step : steps_of(plan)) result = std::max(result, step->size());
  return result;
}

LevelComponents::LevelComponents(const LevelPlan& plan, Node nodes)
    : plan_(plan), levels_(components_by_level(plan, nodes)), members_(nodes) {
  require_joined();
  for (std::size_t i = 0; i < plan.divisions.size(); ++i) require_split(i);
  for (Node node = 0; node < nodes; ++node) {
    if (levels_.back()[node] == node) owners_.push_back(node);
    members_[levels_.back()[node]].push_back(node);
  }
}

void LevelComponents::require_joined() const {
  for (Node node = 0; node < levels_.front().size(); ++node) {
    if (levels_.front()[node] == 0) continue;
    throw Error(fmt::format("no messages join node {} with node 0: give more divisions or programs", node));
  }
}

void LevelComponents::require_split(std::size_t division) const {
  const std::vector<Permutation>& partners = plan_.divisions[division];
  const std::vector<Node>&parents = levels_[division], &children = levels_[division + 1];
  std::vector<std::uint32_t> split(parents.size(), 0);
  for (Node node = 0; node < children.size(); ++node) {
    if (children[node] == node) ++split[parents[node]];
    std::vector<Node> met{children[node]};
    for (const Permutation& partner : partners) met.push_back(children[partner[node]]);
    std::ranges::sort(met);
    if (std::ranges::adjacent_find(met) == met.end()) continue;
    throw Error(
        fmt::format("division {}: node {} and its partners are not in different components; give "
                    "permutations that later "
                    "divisions and programs do not join",
                    division, node));
  }
  for (Node node = 0; node < parents.size(); ++node) {
    if (parents[node] != node || split[node] == partners.size() + 1) continue;
    throw Error(fmt::format("division {} splits the component of node {} into {}: give {} partners", division,
                            node, split[node], split[node] - 1));
  }
}

}  // namespace isotrope::algorithm

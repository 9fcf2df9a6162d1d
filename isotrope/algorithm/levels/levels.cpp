// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/levels/levels.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using schedule::ValueId;

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
  for (const RegisterProgram& program : plan.programs) {
    for (const RegisterStep& step : program) {
      for (const RegisterSend& send : step) components.join(send.to);
    }
  }
  std::vector<std::vector<Node>> result{components.all()};
  for (std::size_t i = plan.divisions.size(); i-- > 0;) {
    for (const Permutation& partner : plan.divisions[i]) components.join(partner);
    result.push_back(components.all());
  }
  std::ranges::reverse(result);
  return result;
}

// One share of the vector, round by round.
class LevelCopy {
 public:
  LevelCopy(const LevelPlan& plan, Node nodes, std::uint32_t first_part)
      : plan_(plan), levels_(components_by_level(plan, nodes)), first_part_(first_part) {
    require_joined();
    for (std::size_t i = 0; i < plan.divisions.size(); ++i) require_split(i);
    members_.resize(nodes);
    for (Node node = 0; node < nodes; ++node) {
      if (levels_.back()[node] == node) owners_.push_back(node);
      members_[levels_.back()[node]].push_back(node);
    }
    for (const RegisterProgram& program : plan.programs) {
      for (const RegisterStep& step : program) steps_.push_back({&step, &step == program.data()});
    }
  }

  std::size_t rounds() const { return 2 * plan_.divisions.size() + steps_.size(); }

  void write(std::size_t round, ExchangeWriter& writer) {
    const std::size_t divisions = plan_.divisions.size();
    if (round < divisions) {
      divide(round, writer, Receipt::added);
    } else if (round < divisions + steps_.size()) {
      step(steps_[round - divisions], writer);
    } else if (round < rounds()) {
      divide(rounds() - 1 - round, writer, Receipt::complete);
    }
  }

 private:
  struct Step {
    const RegisterStep* sends;
    bool begins_program;
  };

  void require_joined() const {
    for (Node node = 0; node < levels_.front().size(); ++node) {
      if (levels_.front()[node] == 0) continue;
      throw Error(fmt::format("no messages join node {} with node 0: give more divisions or programs", node));
    }
  }

  void require_split(std::size_t division) const {
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
      throw Error(fmt::format("division {} splits the component of node {} into {}: give {} partners",
                              division, node, split[node], split[node] - 1));
    }
  }

  // Added: from all nodes of the parent to the component that owns the block. Complete: back.
  void divide(std::size_t division, ExchangeWriter& writer, Receipt receipt) const {
    const std::vector<Node>&parents = levels_[division], &children = levels_[division + 1];
    for (std::size_t block = 0; block < owners_.size(); ++block) {
      const Node parent = parents[owners_[block]], child = children[owners_[block]];
      for (const Permutation& partner : plan_.divisions[division]) {
        for (Node outer = 0; outer < parents.size(); ++outer) {
          const Node inner = partner[outer];
          if (parents[outer] != parent || children[inner] != child) continue;
          const bool adds = receipt == Receipt::added;
          writer.send(adds ? outer : inner, adds ? inner : outer, part(block), receipt);
        }
      }
    }
  }

  void step(const Step& step, ExchangeWriter& writer) {
    // All nodes have received as much of their blocks.
    if (step.begins_program) values_before_ = writer.values(owners_.front(), part(0));
    for (const RegisterSend& send : *step.sends) {
      const std::vector<ValueId> values = values_of(send.registers);
      for (std::size_t block = 0; block < owners_.size(); ++block) {
        const schedule::PacketId sum = writer.sum_of(part(block), values);
        for (const Node node : members_[owners_[block]]) writer.send(node, send.to[node], sum);
      }
    }
  }

  std::vector<ValueId> values_of(const std::vector<std::uint32_t>& registers) const {
    std::vector<ValueId> result;
    for (const std::uint32_t each : registers) {
      if (each > 0) {
        result.push_back(values_before_ + each - 1);
        continue;
      }
      for (ValueId value = 0; value < values_before_; ++value) result.push_back(value);
    }
    return result;
  }

  std::uint32_t part(std::size_t block) const { return first_part_ + static_cast<std::uint32_t>(block); }

  const LevelPlan& plan_;
  std::vector<std::vector<Node>> levels_;  // components
  std::uint32_t first_part_;
  std::vector<Node> owners_;                // by block, the smallest node of its component
  std::vector<std::vector<Node>> members_;  // by smallest node, those of the last level
  std::vector<Step> steps_;                 // of all programs
  ValueId values_before_ = 1;               // the program under way
};

}  // namespace

std::uint32_t block_count(const LevelPlan& plan) {
  std::uint32_t result = 1;
  for (const auto& partners : plan.divisions) result *= static_cast<std::uint32_t>(partners.size()) + 1;
  return result;
}

OverlaidSchedule exchange_by_levels(const Network& network, std::span<const LevelPlan> copies,
                                    schedule::PortModel ports) {
  const std::uint32_t blocks = block_count(copies.front());
  ExchangeWriter writer(network, blocks * static_cast<std::uint32_t>(copies.size()));
  std::vector<LevelCopy> running;
  std::size_t rounds = 0;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    running.emplace_back(copies[i], network.order(), blocks * static_cast<std::uint32_t>(i));
    rounds = std::max(rounds, running.back().rounds());
  }
  for (std::size_t round = 0; round < rounds; ++round) {
    for (LevelCopy& copy : running) copy.write(round, writer);
    writer.close_round();
  }
  return writer.finish(ports);
}

}  // namespace isotrope::algorithm

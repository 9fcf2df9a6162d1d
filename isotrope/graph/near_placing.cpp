// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/near_placing.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace isotrope::graph {
namespace {

using network::Node;
using network::Port;
using network::Rank;
using network::SurvivingNetwork;
using Neighbours = std::vector<std::vector<Node>>;  // by node, each neighbour once

Neighbours neighbours_of(const SurvivingNetwork& network) {
  Neighbours result(network.whole().order());
  for (const Node node : network.nodes()) {
    network.for_each_neighbour(node, [&](Port, Node other) { result[node].push_back(other); });
    std::ranges::sort(result[node]);
    result[node].erase(std::unique(result[node].begin(), result[node].end()), result[node].end());
  }
  return result;
}

// The nodes near each node, the nearest last: these are tried first.
Neighbours near_nodes(Node order, const Distances& distance, std::uint32_t reach) {
  Neighbours result(order);
  for (Node node = 0; node < order; ++node) {
    for (Node other = 0; other < order; ++other) {
      if (other != node && distance(node, other) <= reach) result[node].push_back(other);
    }
    std::ranges::stable_sort(result[node], std::greater<>(),
                             [&](Node other) { return distance(node, other); });
  }
  return result;
}

std::vector<std::size_t> degrees_descending(const Neighbours& neighbours) {
  std::vector<std::size_t> result;
  for (const auto& others : neighbours) result.push_back(others.size());
  std::ranges::sort(result, std::greater<>());
  return result;
}

// How many nodes have the colour of node 0; nothing if two colours do not suffice.
std::optional<std::size_t> first_colour(const Neighbours& neighbours, const Distances& distance) {
  std::size_t count = 0;
  for (Node node = 0; node < neighbours.size(); ++node) {
    count += distance(0, node) % 2 == 0 ? 1 : 0;
    for (const Node other : neighbours[node]) {
      if (distance(0, node) % 2 == distance(0, other) % 2) return std::nullopt;
    }
  }
  return count;
}

// Places ranks one after the other.
class Placing {
 public:
  Placing(Neighbours program, Neighbours machine, const Distances& in_program, const Distances& in_machine,
          std::uint32_t reach, std::uint64_t budget)
      : program_(std::move(program)),
        machine_(std::move(machine)),
        in_program_(in_program),
        in_machine_(in_machine),
        reach_(reach),
        left_(budget),
        node_of_(program_.size(), nowhere),
        rank_of_(program_.size(), nowhere),
        waiting_(program_.size()),
        free_(program_.size()) {
    for (std::size_t i = 0; i < program_.size(); ++i) {
      waiting_[i] = program_[i].size();
      free_[i] = machine_[i].size();
    }
    order();
  }

  NearPlacing run(bool looks_the_same) {
    std::vector<Node> roots;
    for (Node node = 0; node < (looks_the_same ? 1 : machine_.size()); ++node) roots.push_back(node);
    std::vector<std::vector<Node>> candidates{std::move(roots)};  // of each rank in turn, the next one last
    while (!candidates.empty()) {
      const std::size_t place = candidates.size() - 1;
      if (node_of_[order_[place]] != nowhere) take_back(order_[place]);
      if (candidates.back().empty()) {
        candidates.pop_back();
        continue;
      }
      const Node node = candidates.back().back();
      candidates.back().pop_back();
      if (!fits(place, node)) {
        if (left_ == 0) return {};
        continue;
      }
      const bool is_alive = put(order_[place], node);
      if (place + 1 == order_.size() && is_alive) return {network::RankMap(node_of_)};
      if (is_alive) candidates.push_back(candidates_for(place + 1));
    }
    return {.is_exhausted = true};
  }

 private:
  static constexpr Node nowhere = UINT32_MAX;

  // Next comes the rank with most neighbours before it, of these the first that was reached.
  void order() {
    std::vector<std::size_t> before(program_.size(), 0), reached(program_.size(), 0);
    std::vector<bool> is_placed(program_.size(), false);
    std::size_t clock = 1;
    for (Rank next = 0; order_.size() < program_.size();) {
      order_.push_back(next);
      is_placed[next] = true;
      for (const Rank other : program_[next]) {
        if (before[other]++ == 0) reached[other] = clock++;
      }
      std::optional<Rank> best;
      for (Rank rank = 0; rank < program_.size(); ++rank) {
        if (is_placed[rank] || before[rank] == 0) continue;
        if (!best || before[rank] > before[*best] ||
            (before[rank] == before[*best] && reached[rank] < reached[*best]))
          best = rank;
      }
      if (!best) break;
      next = *best;
    }
  }

  // The free nodes near that of a neighbour.
  std::vector<Node> candidates_for(std::size_t place) const {
    std::vector<Node> result;
    const Rank rank = order_[place];
    const auto placed =
        std::ranges::find_if(program_[rank], [&](Rank other) { return node_of_[other] != nowhere; });
    for (const Node node : machine_[node_of_[*placed]]) {
      if (rank_of_[node] == nowhere) result.push_back(node);
    }
    return result;
  }

  bool fits(std::size_t place, Node node) {
    const Rank rank = order_[place];
    if (machine_[node].size() < program_[rank].size()) return false;
    for (std::size_t i = 0; i < place; ++i) {
      if (left_ == 0) return false;
      --left_;
      const Rank other = order_[i];
      if (in_machine_(node, node_of_[other]) > reach_ * in_program_(rank, other)) return false;
    }
    return true;
  }

  // Returns whether the ranks around can still be placed.
  bool put(Rank rank, Node node) {
    node_of_[rank] = node;
    rank_of_[node] = rank;
    for (const Rank other : program_[rank]) --waiting_[other];
    for (const Node other : machine_[node]) --free_[other];
    if (free_[node] < waiting_[rank]) return false;
    return std::ranges::all_of(machine_[node], [&](Node other) {
      return rank_of_[other] == nowhere || free_[other] >= waiting_[rank_of_[other]];
    });
  }

  void take_back(Rank rank) {
    const Node node = node_of_[rank];
    for (const Rank other : program_[rank]) ++waiting_[other];
    for (const Node other : machine_[node]) ++free_[other];
    node_of_[rank] = nowhere;
    rank_of_[node] = nowhere;
  }

  Neighbours program_, machine_;  // of the machine, near nodes
  const Distances &in_program_, &in_machine_;
  std::uint32_t reach_;
  std::uint64_t left_;  // of the budget
  std::vector<Node> node_of_;
  std::vector<Rank> rank_of_;
  std::vector<std::size_t> waiting_, free_;  // neighbours without a node, by rank; without a rank, by node
  std::vector<Rank> order_;
};

}  // namespace

std::optional<std::string> obstacle(const SurvivingNetwork& program, const Distances& in_program,
                                    const Distances& in_machine, std::uint32_t reach) {
  const Neighbours of_ranks = neighbours_of(program);
  const Neighbours of_nodes = near_nodes(program.whole().order(), in_machine, reach);
  const std::vector<std::size_t> wanted = degrees_descending(of_ranks), given = degrees_descending(of_nodes);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] <= given[i]) continue;
    const auto enough = [&](std::size_t degree) { return degree >= wanted[i]; };
    return fmt::format("ranks with {} neighbours: {}; nodes with so many {}: {}", wanted[i],
                       std::ranges::count_if(wanted, enough),
                       reach == 1 ? "neighbours" : fmt::format("others within {} hops", reach),
                       std::ranges::count_if(given, enough));
  }
  const auto nodes = first_colour(of_nodes, in_machine);
  if (!nodes) return std::nullopt;
  const auto ranks = first_colour(of_ranks, in_program);
  if (!ranks) return "the grid has a cycle of odd length, and the network has none";
  const std::size_t all = wanted.size();
  if (std::min(*ranks, all - *ranks) == std::min(*nodes, all - *nodes)) return std::nullopt;
  return fmt::format("two colours divide the ranks {} : {} and the nodes {} : {}", *ranks, all - *ranks,
                     *nodes, all - *nodes);
}

NearPlacing near_placing(const SurvivingNetwork& program, const Distances& in_program,
                         const Distances& in_machine, std::uint32_t reach, bool looks_the_same,
                         std::uint64_t budget) {
  return Placing(neighbours_of(program), near_nodes(program.whole().order(), in_machine, reach), in_program,
                 in_machine, reach, budget)
      .run(looks_the_same);
}

}  // namespace isotrope::graph

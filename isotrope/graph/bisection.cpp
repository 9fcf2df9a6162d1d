// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/bisection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::graph {
namespace {

constexpr int random_starts = 8;
constexpr std::size_t most_breadth_first_starts = 16;

// The survivors, numbered from 0, with their neighbours.
class Graph {
 public:
  explicit Graph(const SurvivingNetwork& network) : neighbours_(network.nodes().size()) {
    std::vector<std::uint32_t> index(network.whole().order(), 0);
    for (std::uint32_t i = 0; i < size(); ++i) index[network.nodes()[i]] = i;
    for (std::uint32_t i = 0; i < size(); ++i) {
      network.for_each_neighbour(network.nodes()[i],
                                 [&](Port, Node neighbour) { neighbours_[i].push_back(index[neighbour]); });
    }
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(neighbours_.size()); }
  const std::vector<std::uint32_t>& neighbours(std::uint32_t i) const { return neighbours_[i]; }

  // The nodes that `from` reaches, by distance, and their distances.
  std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> search(std::uint32_t from) const {
    std::vector<std::uint32_t> order{from}, distance(size(), network::unreachable);
    distance[from] = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (const std::uint32_t neighbour : neighbours_[order[i]]) {
        if (distance[neighbour] != network::unreachable) continue;
        distance[neighbour] = distance[order[i]] + 1;
        order.push_back(neighbour);
      }
    }
    return {std::move(order), std::move(distance)};
  }

 private:
  std::vector<std::vector<std::uint32_t>> neighbours_;
};

// Two halves and what moving a node from one to the other would save.
class Halves {
 public:
  // The first half of `order` against the rest.
  Halves(const Graph& graph, const std::vector<std::uint32_t>& order)
      : graph_(graph), side_(graph.size(), 1), locked_(graph.size(), 0), gain_(graph.size(), 0) {
    for (std::uint32_t i = 0; i < graph.size() / 2; ++i) side_[order[i]] = 0;
  }

  // Passes until one brings nothing. Returns the links between the halves.
  std::int64_t improve() {
    std::int64_t cut = count();
    for (std::int64_t saved = pass(); saved > 0; saved = pass()) cut -= saved;
    return cut;
  }

 private:
  std::int64_t count() const {
    std::int64_t links = 0;
    for (std::uint32_t i = 0; i < graph_.size(); ++i) {
      for (const std::uint32_t neighbour : graph_.neighbours(i))
        links += i < neighbour && side_[i] != side_[neighbour];
    }
    return links;
  }

  // Exchanges pairs, the best first, until all are locked; takes back those after the best moment.
  std::int64_t pass() {
    std::fill(locked_.begin(), locked_.end(), std::uint8_t{0});
    for (std::uint32_t i = 0; i < graph_.size(); ++i) gain_[i] = gain(i);
    std::vector<std::uint32_t> moved;
    std::int64_t saved = 0, best = 0;
    std::size_t best_moves = 0;
    for (std::uint32_t pair = 0; pair < graph_.size() / 2; ++pair) {
      for (const std::uint8_t side : {std::uint8_t{0}, std::uint8_t{1}}) {
        const std::uint32_t node = best_of(side);
        saved += gain_[node];
        moved.push_back(node);
        move(node);
      }
      if (saved > best) {
        best = saved;
        best_moves = moved.size();
      }
    }
    for (std::size_t i = best_moves; i < moved.size(); ++i) side_[moved[i]] ^= 1;
    return best;
  }

  std::int64_t gain(std::uint32_t node) const {
    std::int64_t result = 0;
    for (const std::uint32_t neighbour : graph_.neighbours(node))
      result += side_[node] != side_[neighbour] ? 1 : -1;
    return result;
  }

  std::uint32_t best_of(std::uint8_t side) const {
    std::uint32_t best = graph_.size();
    for (std::uint32_t i = 0; i < graph_.size(); ++i) {
      if (side_[i] == side && locked_[i] == 0 && (best == graph_.size() || gain_[i] > gain_[best])) best = i;
    }
    return best;
  }

  void move(std::uint32_t node) {
    side_[node] ^= 1;
    locked_[node] = 1;
    for (const std::uint32_t neighbour : graph_.neighbours(node))
      gain_[neighbour] += side_[node] == side_[neighbour] ? -2 : 2;
  }

  const Graph& graph_;
  std::vector<std::uint8_t> side_, locked_;
  std::vector<std::int64_t> gain_;
};

std::uint64_t best_found(const Graph& graph) {
  std::vector<std::uint32_t> order(graph.size());
  std::iota(order.begin(), order.end(), 0u);
  std::int64_t best = Halves(graph, order).improve();
  const std::size_t stride = std::max<std::size_t>(graph.size() / most_breadth_first_starts, 1);
  for (std::uint32_t from = 0; from < graph.size(); from += static_cast<std::uint32_t>(stride))
    best = std::min(best, Halves(graph, graph.search(from).first).improve());
  std::mt19937 random(1);
  for (int start = 0; start < random_starts; ++start) {
    std::shuffle(order.begin(), order.end(), random);
    best = std::min(best, Halves(graph, order).improve());
  }
  return static_cast<std::uint64_t>(best);
}

// The largest edge betweenness, unordered pairs: every pair shares one unit among its shortest paths. From
// one source the paths are counted outwards and the shares added up inwards (U. Brandes, A faster algorithm
// for betweenness centrality, 2001).
double largest_betweenness(const Graph& graph) {
  std::vector<std::vector<double>> over(graph.size());  // by node, then place of the neighbour
  for (std::uint32_t i = 0; i < graph.size(); ++i) over[i].assign(graph.neighbours(i).size(), 0);
  for (std::uint32_t source = 0; source < graph.size(); ++source) {
    const auto [order, distance] = graph.search(source);
    std::vector<double> paths(graph.size(), 0), share(graph.size(), 0);
    paths[source] = 1;
    for (const std::uint32_t node : order) {
      for (const std::uint32_t next : graph.neighbours(node)) {
        if (distance[next] == distance[node] + 1) paths[next] += paths[node];
      }
    }
    for (std::size_t i = order.size(); i-- > 0;) {
      const std::uint32_t node = order[i];
      for (std::size_t j = 0; j < over[node].size(); ++j) {
        const std::uint32_t next = graph.neighbours(node)[j];
        if (distance[next] != distance[node] + 1) continue;
        const double through = paths[node] / paths[next] * (1 + share[next]);
        share[node] += through;
        over[node][j] += through;
      }
    }
  }
  // A pair is met from both ends, once in each direction of the link.
  double largest = 0;
  for (const auto& links : over) {
    for (const double load : links) largest = std::max(largest, load);
  }
  return largest;
}

}  // namespace

Bisection bisection(const SurvivingNetwork& network) {
  const std::uint64_t nodes = network.nodes().size();
  if (nodes > largest_bisected_order)
    throw Error(fmt::format("{}: {} nodes: the bisection is bounded for at most {}", network.whole().name(),
                            nodes, largest_bisected_order));
  if (nodes < 2 || network.links() == 0) return {};
  const Graph graph(network);
  constexpr double rounding = 1e-6;
  const std::uint64_t pairs = nodes / 2 * ((nodes + 1) / 2);
  const double least = std::ceil(static_cast<double>(pairs) / largest_betweenness(graph) - rounding);
  return {static_cast<std::uint64_t>(least), best_found(graph)};
}

}  // namespace isotrope::graph

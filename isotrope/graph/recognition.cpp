// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/recognition.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "isotrope/network/cartesian.hpp"
#include "isotrope/network/factorisations.hpp"

#include "isotrope/graph/near_placing.hpp"

namespace isotrope::graph {
namespace {

using network::Coordinate;

// The links of a product of axes.
std::uint64_t links_of(const std::vector<Coordinate>& extents, const std::vector<bool>& closed,
                       std::uint64_t nodes) {
  std::uint64_t links = 0;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const std::uint64_t extent = extents[i], along = closed[i] && extent > 2 ? extent : extent - 1;
    links += nodes / extent * along;
  }
  return links;
}

// Calls visit(closed) for the ways to close some of the axes; of alike ones the first are closed. Axes of 2 count as closed.
template <class Visit>
void visit_closings(const std::vector<Coordinate>& extents, const Visit& visit) {
  for (std::uint32_t open = 0; open < std::uint32_t{1} << extents.size(); ++open) {
    std::vector<bool> closed;
    bool is_first = true;
    for (std::size_t i = 0; i < extents.size(); ++i) {
      closed.push_back((open >> i & 1U) == 0);
      const bool is_alike = i > 0 && extents[i] == extents[i - 1];
      if ((!closed[i] && extents[i] == 2) || (is_alike && closed[i] && !closed[i - 1])) is_first = false;
    }
    if (is_first) visit(closed);
  }
}

// How many nodes are at distance 0, 1, 2, ... of a node.
using DistanceCounts = std::vector<std::uint32_t>;

DistanceCounts counts_of(std::span<const std::uint32_t> distances) {
  DistanceCounts counts(*std::ranges::max_element(distances) + 1, 0);
  for (const std::uint32_t distance : distances) ++counts[distance];
  return counts;
}

class Recognition {
 public:
  Recognition(const network::SurvivingNetwork& graph, const Distances& distances, std::uint64_t budget)
      : graph_(graph), distances_(distances), budget_(budget) {
    std::vector<std::uint32_t> row(graph.whole().order());
    for (network::Node from = 0; from < row.size(); ++from) {
      for (network::Node to = 0; to < row.size(); ++to) row[to] = distances(from, to);
      counts_.insert(counts_of(row));
    }
  }

  std::optional<network::MappedNetwork> run() {
    const network::Node order = graph_.whole().order();
    if (order < 2) return std::nullopt;
    network::visit_factorisations(order, [&](const std::vector<Coordinate>& extents) {
      if (std::ranges::is_sorted(extents, std::greater<>())) try_product(extents);
      return found_.has_value();
    });
    return std::move(found_);
  }

 private:
  void try_product(const std::vector<Coordinate>& extents) {
    visit_closings(extents, [&](const std::vector<bool>& closed) {
      if (found_ || links_of(extents, closed, graph_.whole().order()) != graph_.links()) return;
      network::NamedNetwork named = network::cartesian_network(extents, closed);
      const network::SurvivingNetwork product(named.network, named.lacks);
      if (!counts_.contains(counts_of(product.distances(0)))) return;
      const Distances in_product(product);
      if (obstacle(product, in_product, distances_, 1)) return;
      NearPlacing placing = near_placing(product, in_product, distances_, 1, named.lacks.empty(), budget_);
      if (placing.ranks) found_ = {std::move(named), *std::move(placing.ranks)};
    });
  }

  const network::SurvivingNetwork& graph_;
  const Distances& distances_;
  std::uint64_t budget_;
  std::set<DistanceCounts> counts_;  // of all nodes
  std::optional<network::MappedNetwork> found_;
};

}  // namespace

std::optional<network::MappedNetwork> recognised_product(const network::SurvivingNetwork& graph,
                                                         const Distances& distances, std::uint64_t budget) {
  return Recognition(graph, distances, budget).run();
}

}  // namespace isotrope::graph

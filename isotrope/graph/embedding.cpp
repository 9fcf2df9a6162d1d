// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/embedding.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/cartesian.hpp"

#include "isotrope/graph/hamiltonian_cycle.hpp"
#include "isotrope/graph/near_placing.hpp"
#include "isotrope/graph/pair_exchange.hpp"
#include "isotrope/graph/recognition.hpp"

namespace isotrope::graph {

using network::Node;
using network::RankMap;

namespace {

network::SurvivingNetwork program_of(const std::vector<GridAxis>& grid, const network::Network& machine) {
  std::vector<network::Coordinate> extents;
  std::vector<bool> periodic;
  std::uint64_t ranks = 1;
  for (const GridAxis& axis : grid) {
    extents.push_back(axis.extent);
    periodic.push_back(axis.is_periodic);
    ranks = std::min(ranks * axis.extent, network::largest_order + 1);
  }
  if (ranks != machine.order())
    throw Error(fmt::format("a grid of {}{} ranks on {}, which has {} nodes: give as many ranks as nodes",
                            ranks > network::largest_order ? "more than " : "",
                            std::min(ranks, network::largest_order), machine.name(), machine.order()));
  auto [network, lacks] = network::cartesian_network(extents, periodic);
  return {std::move(network), std::move(lacks)};
}

}  // namespace

GridEmbedding::GridEmbedding(std::vector<GridAxis> grid, network::NamedNetwork machine)
    : grid_(std::move(grid)),
      machine_network_(std::move(machine)),
      program_(program_of(grid_, machine_network_.network)),
      machine_(machine_network_.network, machine_network_.lacks),
      in_program_(program_),
      in_machine_(machine_) {}

// Axes of 2 are the same with and without a closing link.
bool GridEmbedding::looks_the_same() const {
  return std::ranges::all_of(grid_,
                             [](const GridAxis& axis) { return axis.is_periodic || axis.extent <= 2; });
}

std::optional<RankMap> GridEmbedding::along_a_cycle() const {
  const auto longer = std::ranges::count_if(grid_, [](const GridAxis& axis) { return axis.extent > 1; });
  if (longer != 1 || !machine_network_.lacks.empty()) return std::nullopt;
  return RankMap(hamiltonian_cycle(machine_network_.network));
}

// On a machine that is a product with nodes numbered in any order, along the axes of this product.
std::optional<RankMap> GridEmbedding::along_recognised_axes(std::uint64_t budget) const {
  const auto product = recognised_product(machine_, in_machine_, budget);
  if (!product) return std::nullopt;
  const auto in_product = embedding_by_axes(grid_, product->named);
  if (!in_product) return std::nullopt;
  std::vector<Node> nodes;
  for (network::Rank rank = 0; rank < program().order(); ++rank)
    nodes.push_back(product->ranks.node_of(in_product->node_of(rank)));
  return RankMap(std::move(nodes));
}

// The best so far after exchanges of pairs. Small maps need few.
void GridEmbedding::exchange(Embedding& best, std::uint64_t most_steps) const {
  const std::uint64_t steps = std::min(most_steps, std::uint64_t{20'000} * program().order());
  RankMap ranks = exchanged_pairs(program_, machine_, in_machine_, best.ranks, steps);
  const Dilation dilation = dilation_of(ranks);
  if (dilation < best.dilation) best = {std::move(ranks), dilation, "by exchanges", best.why_least};
}

// Looks for a map of dilation `reach`. Returns why there is none, if that is so.
std::optional<std::string> GridEmbedding::search(Embedding& best, std::uint32_t reach,
                                                 std::uint64_t budget) const {
  if (auto found = obstacle(program_, in_program_, in_machine_, reach)) return found;
  NearPlacing found = near_placing(program_, in_program_, in_machine_, reach, looks_the_same(), budget);
  if (found.ranks) best = {*found.ranks, dilation_of(*found.ranks), "by search", ""};
  if (!found.is_exhausted) return std::nullopt;
  return fmt::format("a search of all maps found none of dilation {}", reach);
}

Embedding GridEmbedding::propose(const EmbeddingBudget& budget) const {
  Embedding best{{}, dilation_of({}), "in order", ""};
  const auto is_done = [&] { return best.dilation.largest <= 1; };
  const auto offer = [&](const std::optional<RankMap>& ranks, const char* way) {
    if (!ranks) return;
    const Dilation dilation = dilation_of(*ranks);
    if (dilation < best.dilation) best = {*ranks, dilation, way, ""};
  };
  if (!is_done()) {
    const auto by_axes = embedding_by_axes(grid_, machine_network_);
    offer(by_axes ? by_axes : along_recognised_axes(budget.comparisons), "along axes");
  }
  if (!is_done()) offer(along_a_cycle(), "along a cycle");
  // Why no map has a dilation below `reach`; nothing if one may have it.
  std::optional<std::string> why = "neighbours are next to each other";
  for (std::uint32_t reach = 1; reach < best.dilation.largest; ++reach) {
    const auto none = search(best, reach, budget.comparisons);
    if (!is_done() && (reach == 1 || best.dilation.largest == reach)) exchange(best, budget.exchanges);
    if (best.dilation.largest > reach) why = none;
  }
  best.why_least = why.value_or("");
  return best;
}

}  // namespace isotrope::graph

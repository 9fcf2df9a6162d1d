// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/grid_placing.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/graph/embedding.hpp"

#include "isotrope/mpi/topology.hpp"

namespace isotrope::pmpi {
namespace {

using graph::GridAxis;
using network::Node;
using network::Rank;

// What a search and exchanges may spend: some 0.1 s.
constexpr graph::EmbeddingBudget budget{.comparisons = 2'000'000, .exchanges = 100'000};
constexpr Node most_ranks = 1024;

// The grid with layers in front, such that it has all ranks; nothing if the number of ranks is no multiple of its size.
std::optional<std::vector<GridAxis>> layered(std::span<const GridAxis> grid, Node ranks) {
  std::uint64_t size = 1;
  for (const GridAxis& axis : grid) {
    if (axis.extent == 0 || (size *= axis.extent) > ranks) return std::nullopt;
  }
  if (ranks % size != 0) return std::nullopt;
  std::vector<GridAxis> result(grid.begin(), grid.end());
  if (size < ranks) result.insert(result.begin(), {static_cast<network::Coordinate>(ranks / size), false});
  return result;
}

}  // namespace

std::optional<GridOrder> better_grid_order(const network::MappedNetwork& nodes,
                                           std::span<const GridAxis> grid) {
  const auto& [named, places] = nodes;
  const Node order = named.network.order();
  if (order > most_ranks || !named.lacks.nodes.empty()) return std::nullopt;
  auto whole = layered(grid, order);
  if (!whole) return std::nullopt;
  try {
    const graph::GridEmbedding embedding(*std::move(whole), named);
    const graph::Dilation before = embedding.dilation_of(places);
    if (before.largest <= 1) return std::nullopt;
    const graph::Embedding proposed = embedding.propose(budget);
    if (proposed.dilation >= before) return std::nullopt;
    GridOrder result{{}, proposed.dilation.largest, before.largest};
    for (Rank rank = 0; rank < order; ++rank)
      result.ranks.push_back(static_cast<int>(proposed.ranks.rank_of(places.node_of(rank))));
    return result;
  } catch (const Error&) {
    return std::nullopt;  // no network of so many ranks
  }
}

std::optional<GridOrder> agreed_grid_order(MPI_Comm comm, const network::MappedNetwork& nodes,
                                           std::span<const GridAxis> grid) {
  const bool proposes = mpi::rank_in(comm) == 0;
  GridOrder order{std::vector<int>(nodes.named.network.order(), 0)};
  std::array<unsigned, 2> dilations{0, 0};  // now and before; 0: no order
  if (proposes) {
    if (auto found = better_grid_order(nodes, grid)) {
      order = *std::move(found);
      dilations = {order.dilation, order.dilation_before};
    }
  }
  PMPI_Bcast(dilations.data(), 2, MPI_UNSIGNED, 0, comm);
  if (dilations[0] == 0) return std::nullopt;
  PMPI_Bcast(order.ranks.data(), static_cast<int>(order.ranks.size()), MPI_INT, 0, comm);
  order.dilation = dilations[0];
  order.dilation_before = dilations[1];
  return order;
}

void GridCounts::count(const GridOrder* order) {
  ++(order != nullptr ? reordered_ : kept_);
  if (order == nullptr) return;
  farthest_ = std::max(farthest_.load(), order->dilation);
  farthest_before_ = std::max(farthest_before_.load(), order->dilation_before);
}

std::string GridCounts::in_words() const {
  if (reordered_ + kept_ == 0) return {};
  const std::string distances =
      fmt::format(" (neighbours at most {} apart, else {})", farthest_.load(), farthest_before_.load());
  return fmt::format("Cartesian communicators with reorder: {} reordered{}, {} left to MPI",
                     reordered_.load(), reordered_ == 0 ? "" : distances, kept_.load());
}

}  // namespace isotrope::pmpi

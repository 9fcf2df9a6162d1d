// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// MPI_Cart_create with reorder, and MPI_Cart_map: ranks that are neighbours in the grid become neighbours in the network.
//
//     torus:2x2x2, grid 8, periodic     ranks along a Hamiltonian cycle of the network: dilation 1, in order 3
//
// Condition: the communicator has all ranks of MPI_COMM_WORLD, whose network is known. A grid of fewer ranks that divide the number
// of ranks is taken as one layer of a grid of all ranks.
//
// Method: as `isotrope map` (graph/embedding.hpp), with a budget of some 0.1 s. The first rank proposes an order for all, so no two
// ranks can differ. If the order of the communicator is as good, or the network is too large, the library decides.
#pragma once

#include <atomic>
#include <cstdint>
#include <mpi.h>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isotrope/network/rank_map.hpp"

#include "isotrope/graph/axis_embedding.hpp"

namespace isotrope::pmpi {

/// A better order for the ranks of a grid.
struct GridOrder {
  std::vector<int>
      ranks;  ///< in the grid, by rank of the communicator; those of no place in the grid are at least its size
  unsigned dilation = 0;         ///< the most hops between neighbours of the grid, in this order
  unsigned dilation_before = 0;  ///< in that of the communicator
};

/// Sends nothing: all ranks find the same. @param nodes of the ranks of a communicator
/// @returns nothing if their own order is as good, or none is found
std::optional<GridOrder> better_grid_order(const network::MappedNetwork& nodes,
                                           std::span<const graph::GridAxis> grid);

/// As above, as the first rank of `comm` finds it. All ranks of `comm` must call this.
std::optional<GridOrder> agreed_grid_order(MPI_Comm comm, const network::MappedNetwork& nodes,
                                           std::span<const graph::GridAxis> grid);

/// Cartesian communicators with reorder, for the report.
class GridCounts {
 public:
  /// @param order nullptr: that of the library
  void count(const GridOrder* order);
  /// Empty if there were none.
  std::string in_words() const;

 private:
  std::atomic<std::uint64_t> reordered_ = 0, kept_ = 0;
  std::atomic<unsigned> farthest_ = 0, farthest_before_ = 0;  // most hops between neighbours of the former
};

}  // namespace isotrope::pmpi

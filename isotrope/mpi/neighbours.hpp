// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The neighbours of a rank by the topology of its communicator, in the order of MPI's neighbourhood collectives.
//
//     Cartesian     sources and destinations   0-  0+  1-  1+  ...     of dimension 0, 1, ...; MPI_PROC_NULL at borders
//                   blocks are sent in order   0+  0-  1+  1-  ...
//     graph         the list of MPI_Graph_neighbors for both
//     distributed   the lists of MPI_Dist_graph_neighbors
//
// Several edges may join the same two ranks. Then the k-th block that one of them sends is the k-th that the other
// receives. On a Cartesian communicator a block that is sent downwards arrives in the place for the upper neighbour,
// also if both neighbours are one rank (extents 1 and 2), so each pair of blocks is sent in reversed order.
//
// Source: MPI 4.0, Section 8.6.
#pragma once

#include <cstddef>
#include <mpi.h>
#include <optional>
#include <vector>

namespace isotrope::mpi {

struct Neighbours {
  std::vector<int> sources;       ///< ranks, or MPI_PROC_NULL: nothing is received in that place
  std::vector<int> destinations;  ///< ranks, or MPI_PROC_NULL: the block is not sent
  bool cartesian = false;

  /// The place in destinations of the k-th block to send.
  std::size_t sent(std::size_t k) const { return cartesian ? k ^ 1U : k; }
};

/// Nothing if the communicator has no topology. @throws Failure for errors of MPI
std::optional<Neighbours> neighbours_of(MPI_Comm comm);

/// The lists of all ranks, by rank. All ranks must call this: an allgather of lengths and one of lists.
/// @throws Failure for errors of MPI
std::vector<std::vector<int>> gathered_lists(const std::vector<int>& own, MPI_Comm comm);

}  // namespace isotrope::mpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Communicators with neighbours, for any number of ranks, and where the blocks that their ranks send arrive.
#pragma once

#include <cstddef>
#include <mpi.h>
#include <string>
#include <vector>

namespace isotrope::mpi {

struct NeighbourhoodCase {
  std::string name;
  MPI_Comm comm = MPI_COMM_NULL;
  bool cartesian = false;
};

/// Cartesian grids, periodic and open, with extents of 1 and 2; stencils as distributed graphs, in one order or in an
/// order of each rank, with and without weights; graphs; random graphs with multiple edges, loops and ranks without
/// edges. The same at every call; all ranks must make the first one, and free_neighbourhood_cases() frees them.
const std::vector<NeighbourhoodCase>& neighbourhood_cases();
void free_neighbourhood_cases();

/// The distributed graph of all neighbours at most `radius` away in every direction on a periodic grid, with ranks
/// row-major. @param shuffled every rank lists its neighbours in an order of its own
MPI_Comm stencil(const std::vector<int>& extents, int radius, bool shuffled);

/// The block that belongs to a place of a receive buffer.
struct Incoming {
  int source = MPI_PROC_NULL;
  std::size_t place = 0;  ///< in the destinations of the source
};

/// The edges of the calling rank.
struct Edges {
  std::vector<int> destinations;   ///< ranks, or MPI_PROC_NULL
  std::vector<Incoming> incoming;  ///< by place of the source
  bool repeated = false;           ///< somewhere several edges join the same two ranks
};
/// All ranks must call this.
Edges edges_of(const NeighbourhoodCase& neighbourhood);

}  // namespace isotrope::mpi

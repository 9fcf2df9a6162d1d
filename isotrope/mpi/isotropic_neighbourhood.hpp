// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Neighbourhoods that all ranks see alike.
//
// A neighbourhood is isotropic if there are moduli, whose product is the number of ranks, such that every rank r sends to
// r + d for the same differences d, each as often, and receives accordingly. The order of neighbours may differ from rank
// to rank:
//
//     9 ranks as 3x3    rank 0 sends to 1 3 4     differences (0,1) (1,0) (1,1)
//                       rank 5 sends to 8 6 3     differences (1,0) (1,1) (0,1)
//
// Of several moduli that fit, those with the shortest ways along the axes of their torus are taken.
//
// Equal blocks. MPI lets ranks send blocks of different sizes: a rank's blocks must be as large as those of the ranks that
// send to the same rank. Blocks are equal on all ranks if the differences between differences generate the group.
//
// Only graphs are recognised. On a Cartesian communicator all neighbours are next to the rank on the torus of its
// extents, where no two blocks share a way.
//
// Cost: two allgathers of all edges, and one comparison of them per factorisation of the number of ranks.
#pragma once

#include <cstdint>
#include <mpi.h>
#include <optional>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/traffic.hpp"

#include "isotrope/mpi/neighbours.hpp"

namespace isotrope::mpi {

struct IsotropicNeighbourhood {
  network::Network torus;
  std::vector<schedule::RelativeDestination>
      destinations;  ///< ascending, 0 among them if ranks send to themselves

  /// The number of blocks that a rank sends.
  std::uint64_t blocks() const;
  /// The links on the ways of all blocks of a rank.
  std::uint64_t hops() const;
  /// The links on the longest way.
  std::uint32_t longest() const;
  /// Whether several edges join the same two ranks.
  bool has_multiple_edges() const;
};

/// Nothing if `comm` is no graph, or its neighbourhood is not isotropic, or ranks might send blocks of different sizes.
/// All ranks must call this, and all get the same answer. @param neighbours those of `comm`
/// @throws Failure for errors of MPI
std::optional<IsotropicNeighbourhood> isotropic_neighbourhood(MPI_Comm comm, const Neighbours& neighbours);

}  // namespace isotrope::mpi

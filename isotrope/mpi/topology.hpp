// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The network of a communicator, taken from its topology.
//
//     Cartesian     a torus of its extents, periodic in all of them; an extent of 2 need not be, for there a
//                   ring is a line. With extents of 2 and 1 only, a hypercube.
//     graph         (MPI_Dist_graph_create, MPI_Graph_create) a Cayley graph, where for some moduli, whose
//                   product is the number of ranks, the neighbours of every rank r are r + g for the same g
//
// Ranks are nodes: both number row-major. Cost: none for Cartesian communicators; for graphs a gathering of
// all lists of neighbours and a comparison for every ordered factorisation of the number of ranks.
#pragma once

#include <mpi.h>
#include <optional>

#include "isotrope/network/network.hpp"

namespace isotrope::mpi {

/// Nothing where the communicator has no topology, or one that is none of these networks. To be called by
/// all ranks; they get the same answer.
/// @throws Failure where MPI does.
std::optional<network::Network> topology_network(MPI_Comm comm);

}  // namespace isotrope::mpi

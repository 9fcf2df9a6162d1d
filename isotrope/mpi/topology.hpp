// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The ranks of a communicator, and its network, derived from its MPI topology.
//
//     Cartesian     a torus of its extents, which must be periodic; an extent of 2 need not be, because a
//                   ring of two nodes is a line. With extents of 2 and 1 only, a hypercube.
//     graph         (MPI_Dist_graph_create, MPI_Graph_create) a Cayley graph, if there are moduli, whose
//                   product is the number of ranks, such that the neighbours of every rank r are r + g for
//                   the same generators g
//
// Ranks are nodes: both are numbered row-major. Cost: none for Cartesian communicators; for graphs one
// allgather of all lists of neighbours, and one comparison per ordered factorisation of the number of ranks.
#pragma once

#include <mpi.h>
#include <optional>

#include "isotrope/network/network.hpp"

namespace isotrope::mpi {

/// The number of ranks. @throws Failure for errors of MPI
int size_of(MPI_Comm comm);
/// The calling rank. @throws Failure for errors of MPI
int rank_in(MPI_Comm comm);

/// The network, or nothing if the communicator has no topology or one that is none of these networks. All
/// ranks must call this, and all get the same answer.
/// @throws Failure for errors of MPI
std::optional<network::Network> topology_network(MPI_Comm comm);

}  // namespace isotrope::mpi

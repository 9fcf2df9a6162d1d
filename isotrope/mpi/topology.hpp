// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The ranks of a communicator, and its network, derived from its MPI topology.
//
//     Cartesian     the product of its axes: rings if they are periodic, else lines. If all are rings or have two ranks at
//                   most, a torus; with extents of 2 and 1 only, a hypercube.
//     graph         (MPI_Dist_graph_create, MPI_Graph_create) a Cayley graph, if there are moduli, whose
//                   product is the number of ranks, such that the neighbours of every rank r are r + g for
//                   the same generators g
//
// Ranks are nodes: both are numbered row-major. Cost: none for Cartesian communicators; for graphs one
// allgather of all lists of neighbours, and one comparison per ordered factorisation of the number of ranks.
#pragma once

#include <mpi.h>
#include <optional>

#include "isotrope/network/parse.hpp"

namespace isotrope::mpi {

/// @throws Failure unless `comm` is an intracommunicator
void require_communicator(MPI_Comm comm);
/// The number of ranks. @throws Failure for errors of MPI
int size_of(MPI_Comm comm);
/// The calling rank. @throws Failure for errors of MPI
int rank_in(MPI_Comm comm);

/// The network, or nothing if the communicator has no topology or one that is none of these networks. All
/// ranks must call this, and all get the same answer.
/// @throws Failure for errors of MPI
std::optional<network::NamedNetwork> topology_network(MPI_Comm comm);

}  // namespace isotrope::mpi

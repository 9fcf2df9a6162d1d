// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls that send from the buffer that they receive into. MPI calls them erroneous, but programs make them, and
// libraries differ: MPICH 4.0 refuses them in all collectives, Open MPI 4.1 in MPI_Reduce, and in MPI_Allreduce of more
// than one element. What the library refuses (library_checks.hpp) is passed on to it, on the rank that makes the call; the rest is served.
#pragma once

#include <mpi.h>

#include "isotrope/mpi/arguments.hpp"
#include "isotrope/mpi/listed_arguments.hpp"

namespace isotrope::pmpi {

/// Whether the block that rank `rank` sends to itself is the block that it receives from itself, with the same count and
/// datatype. The comparison is MPICH's: block `rank` of the buffer that holds the blocks of all ranks.
bool has_same_buffers(const mpi::Arguments& arguments, int rank);
/// The same of blocks of unequal sizes, which have places of their own. In an alltoallv and an alltoallw the buffers and the lists
/// of counts and types are the same, wherever the blocks are; in a reduce_scatter the buffers. @pre the lists that MPI reads on
/// this rank are given
bool has_same_buffers(const mpi::VectorArguments& arguments, int rank);

}  // namespace isotrope::pmpi

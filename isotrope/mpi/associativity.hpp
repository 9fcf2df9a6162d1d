// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Operations that give the same bits in any order of their operands.
//
// A rounded sum depends on the order of the additions, so all ranks of an allreduce must add in the same order. Integers
// wrap around, and bits and truth values do not round: there every order is right, and the planner may choose among more
// algorithms (planner::Preferences::associative). Floating-point MIN and MAX are left out: the order decides between zeros
// of either sign, and between NaNs.
#pragma once

#include <mpi.h>

namespace isotrope::mpi {

/// The number of `op` among the operations that MPI defines, from 1 on and the same on all ranks; 0 of any other.
int predefined_number(MPI_Op op);

/// Whether `op` is a predefined operation and `type` a predefined type of integers, bits or truth values, or a pair of
/// integers (MPI 3.1, Sections 5.9.2 and 5.9.4).
bool is_associative(MPI_Op op, MPI_Datatype type);

}  // namespace isotrope::mpi

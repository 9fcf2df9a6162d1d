// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Rank 0 reads the environment and writes to standard error for all ranks of MPI_COMM_WORLD.
#pragma once

#include <mpi.h>
#include <string>
#include <string_view>

namespace isotrope::pmpi {

/// The variable in the environment of rank 0, on all ranks: they must serve the same calls. Empty if it is not set. Collective.
std::string shared_variable(const char* name);

/// Prints a line, or several, on rank 0.
void say(std::string_view text);

/// Prints that the MPI library serves `comm`, and why, on its rank 0, unless this process has printed the same before.
void warn(MPI_Comm comm, std::string_view why);

}  // namespace isotrope::pmpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// From `isotrope`, which knows no MPI library, to the program beside it that was built for the MPI library whose
// mpirun has started the process: isotrope-openmpi, isotrope-mpich, ...
#pragma once

#include <string_view>

namespace isotrope::app {

/// Whether this process prints errors: rank 0 of a job, or a process that no mpirun has started.
bool prints_errors();

/// Says on stderr, once in a job, that each of several processes runs on threads of its own, and how ranks would share a run.
void hint_at_ranks();

/// Becomes that program, with the arguments of this process. Does not return. Messages call the command `command`.
/// @throws Error if no mpirun has started this process, or the program is missing.
int hand_over_to_mpi(std::string_view command);

}  // namespace isotrope::app

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// From `isotrope`, which knows no MPI library, to the program beside it that was built for the one whose
// mpirun has started it: isotrope-openmpi or isotrope-mpich.
#pragma once

#include "app/options.hpp"

namespace CLI {
class App;
}

namespace isotrope::app {

/// Adds --runs, --from, --upto and the options of a machine: those of bench and calibrate.
void add_mpi_options(CLI::App& command, Options& options);

/// Becomes that program, with the same arguments. Does not return.
/// @throws Error where no mpirun has started this process, or the program is not there.
int hand_over_to_mpi(const Options& options);

}  // namespace isotrope::app

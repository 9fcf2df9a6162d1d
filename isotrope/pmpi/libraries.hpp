// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The MPI library that the drop-in was built for, and the one that the program has.
#pragma once

#include "isotrope/mpi/library.hpp"

namespace isotrope::pmpi {

const mpi::MpiLibrary& library_built_for();
const mpi::MpiLibrary& library_of_process();

}  // namespace isotrope::pmpi

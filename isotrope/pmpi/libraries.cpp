// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/libraries.hpp"

namespace isotrope::pmpi {

const mpi::MpiLibrary& library_built_for() {
  static const mpi::MpiLibrary library = mpi::MpiLibrary::of(ISOTROPE_MPI_LIBRARY);
  return library;
}

const mpi::MpiLibrary& library_of_process() {
  static const mpi::MpiLibrary library = mpi::MpiLibrary::of_process();
  return library;
}

}  // namespace isotrope::pmpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Datatypes that hold the same ints in different ways.
#pragma once

#include <mpi.h>
#include <string>
#include <vector>

namespace isotrope::mpi {

struct Shape {
  std::string name;
  MPI_Datatype type = MPI_INT;
  int ints = 1;  ///< in an element
};

/// MPI_INT.
Shape one_int();
/// Committed datatypes of six ints each, the same at every call; free_shapes() frees them. Arrays of up to
/// `most_columns` elements of any of them do not overlap.
const std::vector<Shape>& sixes();
constexpr int most_columns = 80;
void free_shapes();

}  // namespace isotrope::mpi

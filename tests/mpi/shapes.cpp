// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "shapes.hpp"

#include <array>

namespace isotrope::mpi {
namespace {

constexpr MPI_Aint width = sizeof(int);

MPI_Datatype contiguous(int count, MPI_Datatype of) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(count, of, &type);
  return type;
}

MPI_Datatype vector(int blocks, int length, int stride) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(blocks, length, stride, MPI_INT, &type);
  return type;
}

// MPI_Type_create_resized in units of ints; frees `of`.
MPI_Datatype resized(MPI_Datatype of, MPI_Aint lower, MPI_Aint extent) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(of, lower * width, extent * width, &type);
  MPI_Type_free(&of);
  return type;
}

MPI_Datatype contiguous_vectors() {
  MPI_Datatype part = vector(3, 1, 2);
  MPI_Datatype type = contiguous(2, part);
  MPI_Type_free(&part);
  return type;
}

// Later ints of the type map have lower addresses.
MPI_Datatype backwards() {
  const std::array lengths{1, 3, 2}, places{7, 3, 0};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_indexed(3, lengths.data(), places.data(), MPI_INT, &type);
  return type;
}

// Ints before and after the origin.
MPI_Datatype around() {
  const std::array lengths{2, 4};
  const std::array<MPI_Aint, 2> places{-3 * width, 1 * width};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_hindexed(2, lengths.data(), places.data(), MPI_INT, &type);
  return type;
}

MPI_Datatype record() {
  MPI_Datatype pair = contiguous(2, MPI_INT);
  const std::array lengths{1, 2, 1};
  const std::array<MPI_Aint, 3> places{0, 2 * width, 7 * width};
  const std::array types{MPI_INT, pair, MPI_INT};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(3, lengths.data(), places.data(), types.data(), &type);
  MPI_Type_free(&pair);
  return type;
}

std::vector<Shape>& all_shapes() {
  static std::vector<Shape> shapes;
  return shapes;
}

}  // namespace

Shape one_int() {
  return {"int", MPI_INT, 1};
}

const std::vector<Shape>& sixes() {
  if (!all_shapes().empty()) return all_shapes();
  all_shapes() = {{"contiguous", contiguous(6, MPI_INT), 6},
                  {"vector", vector(3, 2, 4), 6},
                  {"column", resized(vector(6, 1, most_columns), 0, 1), 6},
                  {"backwards", backwards(), 6},
                  {"far apart", resized(vector(2, 3, 4), 0, 40), 6},
                  {"around its origin", around(), 6},
                  {"record", record(), 6},
                  {"lower bound below", resized(vector(3, 2, 3), -2, 12), 6},
                  {"vectors", contiguous_vectors(), 6},
                  {"lower bound above", resized(contiguous(6, MPI_INT), 1, 6), 6}};
  for (Shape& shape : all_shapes()) MPI_Type_commit(&shape.type);
  return all_shapes();
}

void free_shapes() {
  for (Shape& shape : all_shapes()) MPI_Type_free(&shape.type);
  all_shapes().clear();
}

}  // namespace isotrope::mpi

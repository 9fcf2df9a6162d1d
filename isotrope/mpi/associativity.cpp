// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/associativity.hpp"

#include <algorithm>
#include <array>

namespace isotrope::mpi {
namespace {

// Of C and of Fortran. Pairs are for MPI_MAXLOC and MPI_MINLOC, which take the least index of equal values.
bool is_exact(MPI_Datatype type) {
  const std::array<MPI_Datatype, 34> types{MPI_INT,           MPI_LONG,           MPI_LONG_LONG,
                                           MPI_UNSIGNED,      MPI_UNSIGNED_LONG,  MPI_UNSIGNED_LONG_LONG,
                                           MPI_SHORT,         MPI_UNSIGNED_SHORT, MPI_SIGNED_CHAR,
                                           MPI_UNSIGNED_CHAR, MPI_BYTE,           MPI_C_BOOL,
                                           MPI_INT8_T,        MPI_INT16_T,        MPI_INT32_T,
                                           MPI_INT64_T,       MPI_UINT8_T,        MPI_UINT16_T,
                                           MPI_UINT32_T,      MPI_UINT64_T,       MPI_AINT,
                                           MPI_OFFSET,        MPI_COUNT,          MPI_CXX_BOOL,
                                           MPI_2INT,          MPI_SHORT_INT,      MPI_LONG_INT,
                                           MPI_INTEGER,       MPI_LOGICAL,        MPI_INTEGER1,
                                           MPI_INTEGER2,      MPI_INTEGER4,       MPI_INTEGER8,
                                           MPI_2INTEGER};
  return std::ranges::find(types, type) != types.end();
}

}  // namespace

int predefined_number(MPI_Op op) {
  const std::array<MPI_Op, 12> operations{MPI_MAX, MPI_MIN, MPI_SUM,  MPI_PROD, MPI_LAND,   MPI_BAND,
                                          MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};
  const auto found = std::ranges::find(operations, op);
  return found == operations.end() ? 0 : static_cast<int>(found - operations.begin()) + 1;
}

bool is_associative(MPI_Op op, MPI_Datatype type) {
  return predefined_number(op) > 0 && is_exact(type);
}

}  // namespace isotrope::mpi

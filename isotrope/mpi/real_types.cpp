// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/real_types.hpp"

#include <algorithm>
#include <array>

namespace isotrope::mpi {

std::optional<RealType> real_type_of(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL)
    return std::nullopt;  // what a library without Fortran calls a type of Fortran
  const std::array<MPI_Datatype, 6> reals{MPI_FLOAT, MPI_DOUBLE, MPI_REAL,
                                          MPI_REAL4, MPI_REAL8,  MPI_DOUBLE_PRECISION};
#ifdef SMPI_H
  // SimGrid 3.32 declares the types of C++ under misspelt names.
  const std::array cxx_pairs{MPI_DATATYPE_NULL};
#else
  const std::array<MPI_Datatype, 2> cxx_pairs{MPI_CXX_FLOAT_COMPLEX, MPI_CXX_DOUBLE_COMPLEX};
#endif
  const std::array<MPI_Datatype, 7> pairs{MPI_C_COMPLEX,     MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX,
                                          MPI_COMPLEX,       MPI_COMPLEX8,        MPI_COMPLEX16,
                                          MPI_DOUBLE_COMPLEX};
  const bool is_real = std::ranges::find(reals, type) != reals.end();
  const bool is_pair =
      std::ranges::find(pairs, type) != pairs.end() || std::ranges::find(cxx_pairs, type) != cxx_pairs.end();
  if (!is_real && !is_pair) return std::nullopt;
  int bytes = 0;
  MPI_Type_size(type, &bytes);
  RealType result{.per_element = is_real ? 1U : 2U};
  for (const sum::Real real : {sum::Real::binary32, sum::Real::binary64}) {
    result.real = real;
    if (static_cast<std::uint64_t>(bytes) == result.per_element * sum::bytes_of(real)) return result;
  }
  return std::nullopt;
}

}  // namespace isotrope::mpi

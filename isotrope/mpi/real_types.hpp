// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The predefined datatypes whose elements are floating-point numbers of IEEE 754 with 32 or 64 bits, or pairs of them:
// complex numbers. Those of Fortran may be as wide as a compiler's options say; their size decides.
#pragma once

#include <cstdint>
#include <mpi.h>
#include <optional>

#include "isotrope/sum/reproducible_sum.hpp"

namespace isotrope::mpi {

struct RealType {
  sum::Real real = sum::Real::binary64;
  std::uint64_t per_element = 1;  ///< 2 of complex numbers
};

/// Nothing of other types, derived ones among them.
std::optional<RealType> real_type_of(MPI_Datatype type);

}  // namespace isotrope::mpi

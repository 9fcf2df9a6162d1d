// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/elements.hpp"

#include <algorithm>

namespace isotrope::mpi {

int reduce_elements(const ElementReduction& reduction, std::uint64_t stride, const std::byte* from,
                    std::byte* into, std::uint64_t count) {
  const std::uint64_t most = reduction.one_by_one ? 1 : std::uint64_t{1} << 30;  // counts of MPI are ints
  int first_error = MPI_SUCCESS;
  for (std::uint64_t done = 0; done < count;) {
    const std::uint64_t now = std::min(most, count - done);
    const int code = MPI_Reduce_local(from + done * stride, into + done * stride, static_cast<int>(now),
                                      reduction.type, reduction.op);
    if (first_error == MPI_SUCCESS) first_error = code;
    done += now;
  }
  return first_error;
}

}  // namespace isotrope::mpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/library_checks.hpp"

#include <cstddef>

#include "isotrope/pmpi/same_buffers.hpp"

namespace isotrope::pmpi {

// The library checks the datatype of a message to nobody too, and reads no element.
bool LibraryChecks::accepts(MPI_Datatype type) const {
  const std::byte element{};
  return PMPI_Send(&element, 1, type, MPI_PROC_NULL, 0, self_) == MPI_SUCCESS;
}

// An operation on no element is checked too.
bool LibraryChecks::accepts(MPI_Datatype type, MPI_Op op) {
  if (!accepts(type)) return false;
  const std::scoped_lock lock(mutex_);
  return PMPI_Allreduce(MPI_IN_PLACE, nullptr, 0, type, op, self_) == MPI_SUCCESS;
}

bool LibraryChecks::refuses_same_buffers(schedule::Collective collective, MPI_Count count) {
  const int asked = count > 1 ? 2 : 1;
  const std::scoped_lock lock(mutex_);
  const auto [answer, is_new] = refuses_same_buffers_.try_emplace({collective, asked});
  if (is_new) answer->second = pmpi::refuses_same_buffers(collective, asked, self_);
  return answer->second;
}

}  // namespace isotrope::pmpi

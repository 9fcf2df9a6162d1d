// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/library_checks.hpp"

#include <array>
#include <cstddef>

namespace isotrope::pmpi {
namespace {

using schedule::Collective;

// MPI_COMM_WORLD returns errors as long as this object lives. Open MPI 4.1 calls its error handler for buffers that are
// the same in MPI_Allreduce, whatever the communicator of the call.
class WorldReturnsErrors {
 public:
  WorldReturnsErrors() {
    PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler_);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  }
  WorldReturnsErrors(const WorldReturnsErrors&) = delete;
  WorldReturnsErrors& operator=(const WorldReturnsErrors&) = delete;
  ~WorldReturnsErrors() {
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, handler_);
    PMPI_Errhandler_free(&handler_);
  }

 private:
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

// @param count 1 or 2
bool refuses(Collective collective, int count, MPI_Comm self) {
  const WorldReturnsErrors asking;
  std::array<int, 2> values{};
  int* const buffer = values.data();
  const auto code = [&] {
    switch (collective) {
      case Collective::gather:
        return PMPI_Gather(buffer, count, MPI_INT, buffer, count, MPI_INT, 0, self);
      case Collective::allgather:
        return PMPI_Allgather(buffer, count, MPI_INT, buffer, count, MPI_INT, self);
      case Collective::scatter:
        return PMPI_Scatter(buffer, count, MPI_INT, buffer, count, MPI_INT, 0, self);
      case Collective::alltoall:
        return PMPI_Alltoall(buffer, count, MPI_INT, buffer, count, MPI_INT, self);
      case Collective::reduce:
        return PMPI_Reduce(buffer, buffer, count, MPI_INT, MPI_SUM, 0, self);
      case Collective::allreduce:
        return PMPI_Allreduce(buffer, buffer, count, MPI_INT, MPI_SUM, self);
      case Collective::reduce_scatter:
        return PMPI_Reduce_scatter_block(buffer, buffer, count, MPI_INT, MPI_SUM, self);
      case Collective::scan:
        return PMPI_Scan(buffer, buffer, count, MPI_INT, MPI_SUM, self);
      case Collective::exscan:
        return PMPI_Exscan(buffer, buffer, count, MPI_INT, MPI_SUM, self);
      default:
        return MPI_SUCCESS;
    }
  };
  return code() != MPI_SUCCESS;
}

}  // namespace

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
  if (is_new) answer->second = refuses(collective, asked, self_);
  return answer->second;
}

bool LibraryChecks::accepts_exscan_into(void* address) {
  const std::scoped_lock lock(mutex_);
  const WorldReturnsErrors asking;
  const int value = 0;
  return PMPI_Exscan(&value, address, 1, MPI_INT, MPI_SUM, self_) == MPI_SUCCESS;
}

}  // namespace isotrope::pmpi

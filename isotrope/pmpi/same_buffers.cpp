// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/same_buffers.hpp"

#include <array>

namespace isotrope::pmpi {
namespace {

using schedule::Collective;

const void* block(const void* blocks, const mpi::SendBuffer& of, int index) {
  MPI_Aint lower = 0, extent = 0;
  if (MPI_Type_get_extent(of.type, &lower, &extent) != MPI_SUCCESS) return nullptr;
  return static_cast<const char*>(blocks) + index * extent * of.count;
}

// MPI_COMM_WORLD returns errors as long as this object lives. Open MPI 4.1 calls its error handler for buffers that are
// the same in MPI_Allreduce, whatever the communicator of the call.
class WorldReturnsErrors {
 public:
  WorldReturnsErrors() {
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler_);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  }
  WorldReturnsErrors(const WorldReturnsErrors&) = delete;
  WorldReturnsErrors& operator=(const WorldReturnsErrors&) = delete;
  ~WorldReturnsErrors() {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler_);
    MPI_Errhandler_free(&handler_);
  }

 private:
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

}  // namespace

bool has_same_buffers(const mpi::Arguments& arguments, int rank) {
  const auto& [collective, send, receive, root, op] = arguments;
  if (send.in_place() || receive.in_place() || send.address == MPI_BOTTOM) return false;
  if (send.type != receive.type || send.count != receive.count || send.count <= 0) return false;
  const bool at_root = root == rank;
  switch (collective) {
    case Collective::gather:
      return at_root && send.address == block(receive.address, send, rank);
    case Collective::allgather:
      return send.address == block(receive.address, send, rank);
    case Collective::scatter:
      return at_root && receive.address == block(send.address, send, rank);
    case Collective::reduce:
      return at_root && send.address == receive.address;
    default:
      return send.address == receive.address;
  }
}

bool refuses_same_buffers(Collective collective, int count, MPI_Comm self) {
  const WorldReturnsErrors asking;
  std::array<int, 2> values{};
  int* const buffer = values.data();
  const auto code = [&] {
    switch (collective) {
      case Collective::gather:
        return MPI_Gather(buffer, count, MPI_INT, buffer, count, MPI_INT, 0, self);
      case Collective::allgather:
        return MPI_Allgather(buffer, count, MPI_INT, buffer, count, MPI_INT, self);
      case Collective::scatter:
        return MPI_Scatter(buffer, count, MPI_INT, buffer, count, MPI_INT, 0, self);
      case Collective::alltoall:
        return MPI_Alltoall(buffer, count, MPI_INT, buffer, count, MPI_INT, self);
      case Collective::reduce:
        return MPI_Reduce(buffer, buffer, count, MPI_INT, MPI_SUM, 0, self);
      case Collective::allreduce:
        return MPI_Allreduce(buffer, buffer, count, MPI_INT, MPI_SUM, self);
      case Collective::reduce_scatter:
        return MPI_Reduce_scatter_block(buffer, buffer, count, MPI_INT, MPI_SUM, self);
      case Collective::scan:
        return MPI_Scan(buffer, buffer, count, MPI_INT, MPI_SUM, self);
      case Collective::exscan:
        return MPI_Exscan(buffer, buffer, count, MPI_INT, MPI_SUM, self);
      default:
        return MPI_SUCCESS;
    }
  };
  return code() != MPI_SUCCESS;
}

}  // namespace isotrope::pmpi

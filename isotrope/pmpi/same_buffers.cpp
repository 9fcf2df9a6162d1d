// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/same_buffers.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace isotrope::pmpi {
namespace {

using mpi::PlacedBlock;
using schedule::Collective;

const void* element(const void* buffer, MPI_Datatype type, MPI_Aint index) {
  MPI_Aint lower = 0, extent = 0;
  if (PMPI_Type_get_extent(type, &lower, &extent) != MPI_SUCCESS) return nullptr;
  return static_cast<const char*>(buffer) + index * extent;
}

const void* block(const void* blocks, const mpi::SendBuffer& of, int index) {
  return element(blocks, of.type, static_cast<MPI_Aint>(index * of.count));
}

// Whether a buffer with one block is the place of a rank's block in the buffer of all blocks.
bool is_own_block(const void* buffer, const PlacedBlock& block, const void* blocks, const PlacedBlock& own) {
  return block.count > 0 && own.count > 0 && block.type == own.type &&
         buffer == element(blocks, own.type, own.displacement);
}

bool are_alike(const std::vector<PlacedBlock>& blocks, const std::vector<PlacedBlock>& others) {
  return std::ranges::equal(blocks, others, [](const PlacedBlock& block, const PlacedBlock& other) {
    return block.count == other.count && block.type == other.type;
  });
}

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

bool has_same_buffers(const mpi::VectorArguments& arguments, int rank) {
  using enum mpi::VectorCollective;
  const auto& [collective, send, sent, receive, received, root, op, counts] = arguments;
  if (send == MPI_IN_PLACE || receive == MPI_IN_PLACE || send == MPI_BOTTOM) return false;
  const auto self = static_cast<std::size_t>(rank);
  switch (collective) {
    case gatherv:
      return rank == root && is_own_block(send, sent.front(), receive, received[self]);
    case allgatherv:
      return is_own_block(send, sent.front(), receive, received[self]);
    case scatterv:
      return rank == root && is_own_block(receive, received.front(), send, sent[self]);
    case reduce_scatter:
      return send == receive && std::ranges::any_of(counts, [](MPI_Count count) { return count > 0; });
    default:
      return send == receive && are_alike(sent, received);
  }
}

bool refuses_same_buffers(Collective collective, int count, MPI_Comm self) {
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

}  // namespace isotrope::pmpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/same_buffers.hpp"

#include <algorithm>

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
  const auto& [collective, send, sent, receive, received, root, op, counts, has_common_lists] = arguments;
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
      return send == receive && has_common_lists;
  }
}

}  // namespace isotrope::pmpi

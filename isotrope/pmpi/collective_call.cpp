// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/collective_call.hpp"

#include "isotrope/mpi/associativity.hpp"
#include "isotrope/mpi/datatype.hpp"
#include "isotrope/pmpi/same_buffers.hpp"

namespace isotrope::pmpi {

using mpi::Arguments;
using mpi::ReceiveBuffer;
using mpi::SendBuffer;
using schedule::Collective;

namespace {

template <class Buffer>
bool is_block(const Buffer& buffer) {
  return pmpi::is_block(buffer.count, buffer.type) && is_buffer(buffer.address, buffer.count, buffer.type);
}

// Whether a rank of a reduction has the buffers that it needs; both have the count and type of the receive buffer.
bool has_buffers(const Arguments& arguments, int rank) {
  const auto& [collective, send, receive, root, op] = arguments;
  const bool in_place = mpi::has_data_in_place(arguments, rank);
  const bool has_receive = is_buffer(receive.address, receive.count, receive.type);
  if (!in_place && !is_buffer(send.address, receive.count, receive.type)) return false;
  if (has_receive) return true;
  if (in_place || mpi::has_result(arguments, rank)) return false;
  return collective != Collective::exscan ||
         Session::of_process().library_checks().accepts_exscan_into(receive.address);
}

bool is_valid(const Arguments& arguments, int rank, int ranks) {
  const auto& [collective, send, receive, root, op] = arguments;
  if (root < 0 || root >= ranks) return false;
  const bool at_root = rank == root;
  switch (collective) {
    case Collective::broadcast:
      return is_block(receive);
    case Collective::scatter:
      return ((at_root && receive.in_place()) || is_block(receive)) && (!at_root || is_block(send));
    case Collective::gather:
      return ((at_root && send.in_place()) || is_block(send)) && (!at_root || is_block(receive));
    case Collective::allgather:
    case Collective::alltoall:
      return (send.in_place() || is_block(send)) && is_block(receive);
    case Collective::barrier:
      return true;
    default:
      return is_defined(receive.count, receive.type, op) && has_buffers(arguments, rank);
  }
}

}  // namespace

bool is_block(MPI_Count count, MPI_Datatype type) {
  return count >= 0 && type != MPI_DATATYPE_NULL && Session::of_process().library_checks().accepts(type);
}

bool is_buffer(const void* address, MPI_Count count, MPI_Datatype type) {
  if (address == MPI_IN_PLACE) return false;
  if (address != nullptr || count == 0) return true;
  return !mpi::Datatype::of(type).needs_address();
}

bool is_defined(MPI_Count count, MPI_Datatype type, MPI_Op op) {
  return count >= 0 && type != MPI_DATATYPE_NULL && op != MPI_OP_NULL &&
         Session::of_process().library_checks().accepts(type, op);
}

bool must_keep_bits(MPI_Op op, MPI_Datatype type) {
  return Session::of_process().is_reproducible() && !mpi::is_associative(op, type);
}

bool is_reducible(MPI_Datatype type) {
  MPI_Aint lower = 0, extent = 0;
  return PMPI_Type_get_extent(type, &lower, &extent) == MPI_SUCCESS && extent > 0;
}

bool CollectiveCall::is_refused() const {
  return !is_valid(arguments, rank, ranks) ||
         (has_same_buffers(arguments, rank) && Session::of_process().library_checks().refuses_same_buffers(
                                                   arguments.collective, arguments.receive.count));
}

bool CollectiveCall::fits(const mpi::Communicator&) const {
  return !has_elements() || is_reducible(arguments.receive.type);
}

bool CollectiveCall::is_reproducible() const {
  return has_elements() && must_keep_bits(arguments.op, arguments.receive.type);
}

bool CollectiveCall::has_elements() const {
  return schedule::reduces(arguments.collective) && arguments.collective != Collective::barrier;
}

}  // namespace isotrope::pmpi

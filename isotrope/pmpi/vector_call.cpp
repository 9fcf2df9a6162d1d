// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/vector_call.hpp"

#include <algorithm>
#include <vector>

#include "isotrope/pmpi/collective_call.hpp"
#include "isotrope/pmpi/same_buffers.hpp"

namespace isotrope::pmpi {
namespace {

using mpi::PlacedBlock;
using mpi::VectorArguments;
using mpi::VectorCollective;

// Types repeat in a list.
bool are_blocks(const std::vector<PlacedBlock>& blocks) {
  MPI_Datatype last = MPI_DATATYPE_NULL;
  return std::ranges::all_of(blocks, [&](const PlacedBlock& block) {
    if (block.count < 0 || block.type == MPI_DATATYPE_NULL) return false;
    if (block.type == last) return true;
    last = block.type;
    return is_block(block.count, block.type);
  });
}

// Whether blocks can be at an address. @pre are_blocks(blocks)
bool has_address(const void* address, const std::vector<PlacedBlock>& blocks) {
  return address != nullptr || std::ranges::all_of(blocks, [&](const PlacedBlock& block) {
           return block.displacement != 0 || is_buffer(address, block.count, block.type);
         });
}

}  // namespace

bool is_refused(const VectorArguments& arguments, mpi::RankOf self) {
  const VectorCollective collective = arguments.collective;
  if (arguments.root < 0 || arguments.root >= self.ranks) return true;
  if (!are_blocks(arguments.sent) || !are_blocks(arguments.received)) return true;
  const bool at_root = self.rank == arguments.root;
  const bool sends_in_place = arguments.send == MPI_IN_PLACE,
             receives_in_place = arguments.receive == MPI_IN_PLACE;
  if (sends_in_place && !mpi::may_send_in_place(collective, at_root)) return true;
  if (receives_in_place && !mpi::may_receive_in_place(collective, at_root)) return true;
  if (!has_address(arguments.send, arguments.sent) || !has_address(arguments.receive, arguments.received))
    return true;
  if (collective == VectorCollective::reduce_scatter) {
    const PlacedBlock& block = arguments.sent.front();
    if (!is_defined(block.count, block.type, arguments.op)) return true;
  }
  return has_same_buffers(arguments, self.rank) &&
         Session::of_process().library_checks().refuses_same_buffers(mpi::with_equal_blocks(collective), 1);
}

bool is_reproducible(const VectorArguments& reduction) {
  return must_keep_bits(reduction.op, reduction.sent.front().type);
}

bool can_serve(const VectorArguments& arguments) {
  return arguments.collective != VectorCollective::reduce_scatter ||
         is_reducible(arguments.sent.front().type);
}

}  // namespace isotrope::pmpi

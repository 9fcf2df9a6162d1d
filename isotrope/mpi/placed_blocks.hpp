// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists of blocks (listed_arguments.hpp) in memory.
#pragma once

#include <cstdint>
#include <mpi.h>
#include <vector>

#include "isotrope/mpi/datatype.hpp"
#include "isotrope/mpi/listed_arguments.hpp"

namespace isotrope::mpi {

/// The address of a block of the buffer at `address`, which may be MPI_BOTTOM, from which pointers cannot be counted.
/// @pre the displacement is in bytes
inline const void* block_address(const void* address, const PlacedBlock& block) {
  if (block.displacement == 0) return address;
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return reinterpret_cast<const void*>(reinterpret_cast<std::intptr_t>(address) + block.displacement);
}

/// Calls visit(block, type) for every block; blocks of one type share its description.
template <class Blocks, class Visit>
void visit_typed(Blocks& blocks, const Visit& visit) {
  Datatype type;
  for (auto& block : blocks) {
    if (block.type != type.handle || type.handle == MPI_DATATYPE_NULL) type = Datatype::of(block.type);
    visit(block, type);
  }
}

/// Counts displacements in bytes, which are in extents.
inline void place_in_bytes(std::vector<PlacedBlock>& blocks) {
  visit_typed(blocks, [](PlacedBlock& block, const Datatype& type) {
    block.displacement *= static_cast<MPI_Aint>(type.extent);
  });
}

}  // namespace isotrope::mpi

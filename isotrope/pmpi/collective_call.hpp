// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A call of a collective with blocks of equal sizes, as the drop-in sees it (serving.hpp).
#pragma once

#include <mpi.h>

#include "isotrope/mpi/arguments.hpp"
#include "isotrope/mpi/communicator.hpp"
#include "isotrope/pmpi/session.hpp"

namespace isotrope::pmpi {

struct CollectiveCall {
  mpi::Arguments arguments;
  int rank = 0, ranks = 1;

  CallCollective collective() const { return arguments.collective; }
  /// A barrier has the size of any type. The root's count of all blocks is not known on other ranks.
  CallSize size() const;
  bool is_refused() const;
  bool fits(const mpi::Communicator& serving) const;
  bool is_reproducible() const;
  bool has_elements() const;
  int run(mpi::Communicator& serving) const { return serving.run(arguments); }
  const mpi::Arguments& made() const { return arguments; }
};

/// The call with these arguments as a function of what is known of the communicator.
inline auto on_any(const mpi::Arguments& arguments) {
  return [=](const Member& member) { return CollectiveCall{arguments, member.rank, member.size}; };
}

/// Whether MPI takes the count and type of a block.
bool is_block(MPI_Count count, MPI_Datatype type);
/// Whether MPI can apply the operation to such elements.
bool is_defined(MPI_Count count, MPI_Datatype type, MPI_Op op);
/// Whether reductions with the operation give the same bits whoever carries them out, as ISOTROPE_REPRODUCIBLE demands, but only
/// by Isotrope.
bool must_keep_bits(MPI_Op op, MPI_Datatype type);
/// Whether elements follow each other in memory, as the runtime reduces them.
bool is_reducible(MPI_Datatype type);

}  // namespace isotrope::pmpi

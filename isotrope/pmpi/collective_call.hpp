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

  /// The size of a call on a communicator of so many ranks. A barrier has the size of any type. The root's count of all blocks
  /// is not known on other ranks.
  [[gnu::always_inline]] static CallSize size_of(const mpi::Arguments& arguments, int ranks) {
    const auto& [collective, send, receive, root, op] = arguments;
    if (collective == schedule::Collective::barrier) return {0, MPI_BYTE};
    if (root < 0 || root >= ranks) return {};
    const bool by_send = (collective == schedule::Collective::scatter && receive.in_place()) ||
                         (collective == schedule::Collective::gather && !send.in_place());
    return by_send ? CallSize{send.count, send.type} : CallSize{receive.count, receive.type};
  }

  CallCollective collective() const { return arguments.collective; }
  CallSize size() const { return size_of(arguments, ranks); }
  bool is_refused() const;
  bool fits(const mpi::Communicator& serving) const;
  bool is_reproducible() const;
  bool has_elements() const;
  int run(mpi::Communicator& serving) const { return serving.run(arguments); }
  const mpi::Arguments& made() const { return arguments; }
};

/// The call with these arguments as a function of what is known of the communicator.
struct OnAny {
  mpi::Arguments arguments;

  CallCollective collective() const { return arguments.collective; }
  [[gnu::always_inline]] CallSize size(const Member& member) const {
    return CollectiveCall::size_of(arguments, member.size);
  }
  CollectiveCall operator()(const Member& member) const { return {arguments, member.rank, member.size}; }
};

/// Whether MPI takes the count and type of a block.
bool is_block(MPI_Count count, MPI_Datatype type);
/// Whether elements of a block can be at an address: not MPI_IN_PLACE, and not a null pointer unless the type has absolute
/// addresses. @pre is_block(count, type)
bool is_buffer(const void* address, MPI_Count count, MPI_Datatype type);
/// Whether MPI can apply the operation to such elements.
bool is_defined(MPI_Count count, MPI_Datatype type, MPI_Op op);
/// Whether reductions with the operation give the same bits whoever carries them out, as ISOTROPE_REPRODUCIBLE demands, but only
/// by Isotrope.
bool must_keep_bits(MPI_Op op, MPI_Datatype type);
/// Whether elements follow each other in memory, as the runtime reduces them.
bool is_reducible(MPI_Datatype type);

}  // namespace isotrope::pmpi

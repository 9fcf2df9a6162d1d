// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the MPI library accepts, found by calls on a communicator of the rank alone that move no data.
//
// Cost: a datatype, or an operation on one, is a call each time, as the program may free it; same buffers are a call once.
#pragma once

#include <map>
#include <mpi.h>
#include <mutex>
#include <utility>

#include "isotrope/schedule/collective.hpp"

namespace isotrope::pmpi {

class LibraryChecks {
 public:
  /// @param self a communicator of this rank alone that returns errors
  void begin(MPI_Comm self) { self_ = self; }

  /// Whether the library takes a datatype: it is committed. @pre not MPI_DATATYPE_NULL
  bool accepts(MPI_Datatype type) const;
  /// Whether the library can apply an operation to elements of a datatype. @pre neither is null
  bool accepts(MPI_Datatype type, MPI_Op op);
  /// Whether the library refuses calls of that collective whose buffers are the same (same_buffers.hpp).
  /// @param count elements of a block
  bool refuses_same_buffers(schedule::Collective collective, MPI_Count count);
  /// Whether the first rank of an exscan, on which the receive buffer has no meaning, may give a null pointer or MPI_IN_PLACE.
  bool accepts_exscan_into(void* address);

 private:
  MPI_Comm self_ = MPI_COMM_NULL;
  std::mutex mutex_;  // threads would make collective calls at once
  std::map<std::pair<schedule::Collective, int>, bool> refuses_same_buffers_;  // the answers so far
};

}  // namespace isotrope::pmpi

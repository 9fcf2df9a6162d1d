// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The handle of a nonblocking collective, as MPI_Request is for MPI's.
#pragma once

#include <memory>
#include <mpi.h>

namespace isotrope::mpi {

class PendingCollective;
class Communicator;

/// A collective advances while any request of its communicator is tested or waited for. Several requests of a
/// communicator may be open at once and complete in any order, if all ranks started them in the same order.
class Request {
 public:
  /// A null request: complete.
  Request();
  Request(Request&&) noexcept;
  /// Waits for the collective that this request held.
  Request& operator=(Request&&) noexcept;
  /// Waits until the collective is complete.
  ~Request();

  /// Advances the collective without blocking. @param complete set to whether the collective is complete and
  /// its buffers are the caller's again. @returns MPI_SUCCESS, or the error code that was passed to the error
  /// handler of the communicator
  int test(bool& complete);
  /// Blocks until the collective is complete. @returns as test()
  int wait();

 private:
  friend class Communicator;
  Request(std::unique_ptr<PendingCollective> pending, MPI_Comm comm);
  int release();

  std::unique_ptr<PendingCollective> pending_;
  MPI_Comm comm_ = MPI_COMM_NULL;  // has the error handler to call
};

}  // namespace isotrope::mpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A collective that has been begun and not yet waited for.
#pragma once

#include <memory>
#include <mpi.h>

namespace isotrope::mpi {

class Operation;
class Communicator;

/// Goes on when it is tested or waited for, by any number of tests. Requests of one communicator may be open
/// at the same time and be finished in any order, as long as all ranks began them in the same order.
class Request {
 public:
  /// Of nothing: it is over.
  Request();
  Request(Request&&) noexcept;
  Request& operator=(Request&&) noexcept;
  /// Waits where it is not over.
  ~Request();

  /// Goes on as far as possible without waiting. @param over whether it is over; the buffers are the caller's
  /// again then. @returns MPI_SUCCESS, or the code with which the communicator's error handler was called.
  int test(bool& over);
  /// Goes on to the end. @returns as test().
  int wait();

 private:
  friend class Communicator;
  Request(std::unique_ptr<Operation> operation, MPI_Comm comm);
  int finished();

  std::unique_ptr<Operation> operation_;
  MPI_Comm comm_ = MPI_COMM_NULL;  // whose error handler is called
};

}  // namespace isotrope::mpi

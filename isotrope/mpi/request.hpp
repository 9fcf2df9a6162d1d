// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The handles of collectives that do not block, as MPI_Request is for MPI's: of one that has been started, and of one
// that is started again and again.
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
  /// Advances this collective alone, and calls no error handler. @returns whether it is complete; then wait() does not
  /// block
  bool poll();
  /// Whether wait() will return an error. @pre complete
  bool has_failed() const;

 private:
  friend class Communicator;
  Request(std::unique_ptr<PendingCollective> pending, std::shared_ptr<const MPI_Comm> comm);
  int release();

  std::unique_ptr<PendingCollective> pending_;
  std::shared_ptr<const MPI_Comm> comm_;  // has the error handler to call
};

/// A collective that is planned and compiled once and then started as often as the caller likes, each time with the
/// data that are in the buffers. Each start must be complete before the next. All ranks create and destroy the
/// persistent requests of a communicator in the same order; they may start and complete them in any order.
class PersistentRequest {
 public:
  /// A null request, which cannot be started.
  PersistentRequest();
  PersistentRequest(PersistentRequest&&) noexcept;
  /// Waits for the collective that this request held.
  PersistentRequest& operator=(PersistentRequest&&) noexcept;
  /// Waits until the collective is complete.
  ~PersistentRequest();

  /// Starts the collective. An error here or later is passed to the error handler of the communicator and returned.
  int start();
  /// Advances the collective as Request::test does. A collective that has not been started is complete.
  int test(bool& complete);
  /// Blocks until the collective is complete.
  int wait();

  /// As those of Request.
  bool poll();
  bool has_failed() const;

 private:
  friend class Communicator;
  PersistentRequest(std::unique_ptr<PendingCollective> pending, std::shared_ptr<const MPI_Comm> comm);
  int take_code();

  std::unique_ptr<PendingCollective> pending_;
  std::shared_ptr<const MPI_Comm> comm_;  // has the error handler to call
};

}  // namespace isotrope::mpi

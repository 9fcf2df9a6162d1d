// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Communication under way: what waits for it, advances it or queues it need not know what it sends.
//
// start() and test() never block. If an MPI function fails, the execution goes on, so that no partner blocks forever; the
// first error is kept.
#pragma once

#include <mpi.h>

namespace isotrope::mpi {

/// Communication that has a beginning and an end, and may begin again.
class Execution {
 public:
  Execution() = default;
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;
  /// @pre complete, or never started.
  virtual ~Execution() = default;

  /// Posts the first messages. @pre never started, or complete
  void start();
  /// Advances without blocking. Returns whether all is complete.
  bool test();
  /// Blocks until all is complete.
  void wait();

  /// The code of the first MPI error, or MPI_SUCCESS.
  int error() const { return error_; }
  /// Whether memory ran out. Then the execution counts as complete, but messages may still use its memory and the
  /// caller's: it must never be destroyed.
  bool is_broken() const { return is_broken_; }

 protected:
  /// As start(), test() and wait().
  virtual void begin() = 0;
  virtual bool advance() = 0;
  virtual void finish() = 0;

  /// Keeps `code` if it is the first error.
  void note(int code) {
    if (error_ == MPI_SUCCESS) error_ = code;
  }

 private:
  // Returns the result of `run`, or true if memory runs out.
  template <class Run>
  bool unless_broken(const Run& run);

  int error_ = MPI_SUCCESS;
  bool is_broken_ = false;
};

}  // namespace isotrope::mpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The open collectives that advance while a rank waits for one of them: ranks may complete their requests in different
// orders, and would deadlock if each advanced only its own.
//
// The engine of a Communicator knows the collectives of that communicator. The engine of the drop-in knows those of the
// whole process (pmpi/open_collectives.hpp).
//
// Cost: none if one collective is open; otherwise one test of each per turn until the awaited one is complete.
#pragma once

#include <algorithm>
#include <mpi.h>
#include <sched.h>
#include <vector>

#include "isotrope/mpi/execution.hpp"

namespace isotrope::mpi {

class ProgressEngine {
 public:
  ProgressEngine() = default;
  ProgressEngine(const ProgressEngine&) = delete;
  ProgressEngine& operator=(const ProgressEngine&) = delete;
  virtual ~ProgressEngine() = default;

  /// `execution` is open from now on, and must be removed before its lifetime ends.
  virtual void add(Execution& execution) = 0;
  virtual void remove(Execution& execution) = 0;
  /// Whether collectives may be open beside `execution`, or at all if that is nullptr.
  virtual bool has_others(const Execution* execution) const = 0;
  /// Advances open collectives without blocking.
  virtual void advance() = 0;

  /// Advances open collectives until `execution`, one of them, is complete.
  void wait(Execution& execution) {
    while (has_others(&execution)) {
      if (execution.test()) return;
      advance();
      sched_yield();  // another rank of the host, which has to go on first, may have no processor
    }
    execution.wait();
  }
  /// Advances open collectives until a request of MPI is complete. @returns the code of MPI
  int wait(MPI_Request& request);
};

/// The open collectives of one communicator, which one thread at a time calls.
class CommunicatorProgress final : public ProgressEngine {
 public:
  void add(Execution& execution) override { open_.push_back(&execution); }
  void remove(Execution& execution) override { std::erase(open_, &execution); }
  bool has_others(const Execution* execution) const override {
    return std::ranges::any_of(open_, [=](const Execution* open) { return open != execution; });
  }
  void advance() override {
    for (Execution* execution : open_) execution->test();
  }

 private:
  std::vector<Execution*> open_;
};

}  // namespace isotrope::mpi

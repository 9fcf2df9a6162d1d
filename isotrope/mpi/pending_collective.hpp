// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A started collective: its execution, its memory beside the caller's buffers, and the steps that
// follow the last round (unpacking, for instance). A Request owns the collective.
#pragma once

#include <functional>
#include <memory>
#include <mpi.h>
#include <utility>
#include <vector>

#include "isotrope/mpi/executor.hpp"
#include "isotrope/mpi/failure.hpp"

namespace isotrope::mpi {

/// The open collectives of one communicator. Testing or waiting for one of them advances all: ranks may complete
/// their requests in different orders, and would deadlock if each advanced only its own. Cost: none if one
/// collective is open; otherwise one test of each per turn until the awaited one is complete.
class ProgressEngine {
 public:
  /// `execution` must be removed before its lifetime ends.
  void add(Execution& execution) { open_.push_back(&execution); }
  void remove(Execution& execution) { std::erase(open_, &execution); }

  /// Advances all open collectives without blocking.
  void advance_all() {
    for (Execution* execution : open_) execution->test();
  }
  /// Advances all open collectives until `execution`, one of them, is complete.
  void wait(Execution& execution) {
    if (open_.size() == 1) return execution.wait();
    while (!execution.test()) advance_all();
  }
  /// Advances all open collectives until a request of MPI is complete. @returns the code of MPI
  int wait(MPI_Request& request) {
    int complete = 0, code = MPI_SUCCESS;
    if (open_.empty()) return MPI_Wait(&request, MPI_STATUS_IGNORE);
    while (complete == 0 && code == MPI_SUCCESS) {
      advance_all();
      code = MPI_Test(&request, &complete, MPI_STATUS_IGNORE);
    }
    return code;
  }

 private:
  std::vector<Execution*> open_;
};

class PendingCollective {
 public:
  explicit PendingCollective(std::shared_ptr<MemoryPool> pool) : pool_(std::move(pool)) {}
  PendingCollective(const PendingCollective&) = delete;
  PendingCollective& operator=(const PendingCollective&) = delete;
  /// @pre the collective is complete or was never started.
  ~PendingCollective() { unregister(); }

  /// Uninitialised memory that lives as long as this object.
  std::byte* allocate(std::uint64_t bytes) {
    Storage& storage = storages_.emplace_back(pool_);
    storage.grow(bytes);
    return storage.bytes();
  }
  /// Keeps `kept` alive until the collective completes.
  void keep_alive(std::shared_ptr<const void> kept) { kept_.push_back(std::move(kept)); }
  /// Adds a step to run after the last round. Steps run in the order in which they were added, and only if no
  /// MPI function failed.
  void on_completion(std::function<void()> step) { last_steps_.push_back(std::move(step)); }

  /// Starts the program. @param progress must outlive this object; it also advances other open collectives.
  void start(ExecutorArguments arguments, const Channel& channel, int tag, ProgressEngine& progress) {
    const auto make = arguments.program->window > 1 ? make_pipelined_executor : make_round_executor;
    arguments.pool = pool_;
    start(make(std::move(arguments), channel, tag), progress);
  }
  /// Starts an execution, as above.
  void start(std::unique_ptr<Execution> execution, ProgressEngine& progress) {
    execution_ = std::move(execution);
    progress_ = &progress;
    progress.add(*execution_);
    execution_->start();
  }
  /// Advances without blocking. Returns whether the collective is complete. @pre it was not before
  bool test() {
    progress_->advance_all();
    if (!execution_->test()) return false;
    complete();
    return true;
  }
  /// Blocks until the collective is complete. @pre it was not before
  void wait() {
    progress_->wait(*execution_);
    complete();
  }
  /// The code of the first error, or MPI_SUCCESS. @pre the collective is complete.
  int code() const { return code_; }

 private:
  void complete() {
    unregister();
    code_ = execution_->error();
    if (code_ != MPI_SUCCESS) return;
    try {
      for (const auto& step : last_steps_) step();
    } catch (const Failure& failure) {
      code_ = failure.code();
    }
  }
  void unregister() {
    if (progress_ != nullptr) progress_->remove(*execution_);
    progress_ = nullptr;
  }

  std::shared_ptr<MemoryPool> pool_;
  std::vector<Storage> storages_;
  std::vector<std::shared_ptr<const void>> kept_;
  std::vector<std::function<void()>> last_steps_;
  std::unique_ptr<Execution> execution_;
  ProgressEngine* progress_ = nullptr;  // from start to completion
  int code_ = MPI_SUCCESS;
};

}  // namespace isotrope::mpi

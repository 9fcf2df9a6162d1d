// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A collective with its arguments: its execution, its memory beside the caller's buffers, the steps
// before the first round (packing, for instance) and those after the last one (unpacking). It may be started again
// when it is complete. A Request or a PersistentRequest owns it.
#pragma once

#include <functional>
#include <memory>
#include <mpi.h>
#include <new>
#include <utility>
#include <vector>

#include "isotrope/mpi/executor.hpp"
#include "isotrope/mpi/failure.hpp"
#include "isotrope/mpi/progress_engine.hpp"
#include "isotrope/mpi/queued_execution.hpp"

namespace isotrope::mpi {

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
  /// Keeps `kept` alive as long as this object.
  void keep_alive(std::shared_ptr<const void> kept) { kept_.push_back(std::move(kept)); }
  /// Adds a step to run before the first round of each start, in the order in which they were added.
  void at_start(std::function<void()> step) { first_steps_.push_back(std::move(step)); }
  /// Adds a step to run after the last round. Steps run in the order in which they were added, and only if no
  /// MPI function failed.
  void on_completion(std::function<void()> step) { last_steps_.push_back(std::move(step)); }

  /// Makes the execution of a program. @param progress must outlive this object; it also advances other open collectives.
  void prepare(ExecutorArguments arguments, const Channel& channel, int tag, ProgressEngine& progress) {
    arguments.pool = pool_;
    prepare(make_executor(std::move(arguments), channel, tag), progress);
  }
  /// Takes an execution, as above.
  void prepare(std::unique_ptr<Execution> execution, ProgressEngine& progress) {
    execution_ = std::move(execution);
    progress_ = &progress;
  }
  /// Starts the program only in its turn. @pre prepared, and never started
  void queue(std::unique_ptr<CallTurn> turn) {
    execution_ = std::make_unique<QueuedExecution>(std::move(execution_), std::move(turn));
  }
  /// Starts the program. @pre prepared, and not open. @throws Failure if a step fails
  void start() {
    code_ = MPI_SUCCESS;
    for (const auto& step : first_steps_) step();
    progress_->add(*execution_);
    is_open_ = true;
    execution_->start();
  }
  /// Whether the collective has been started and is not known to be complete.
  bool is_open() const { return is_open_; }
  /// Advances all open collectives without blocking. Returns whether this one is complete. @pre it is open
  bool test() {
    progress_->advance();
    return poll();
  }
  /// Advances this collective alone, as test() does.
  bool poll() {
    if (!execution_->test()) return false;
    complete();
    return true;
  }
  /// Blocks until the collective is complete. @pre it is open
  void wait() {
    progress_->wait(*execution_);
    complete();
  }
  /// As start(), for a stage of another collective (staged_execution.hpp), which alone is known to the progress engine.
  /// The messages are sent whatever the steps do. @returns the code of a step that fails, or MPI_SUCCESS
  int start_as_stage() {
    int code = MPI_SUCCESS;
    try {
      for (const auto& step : first_steps_) step();
    } catch (const Failure& failure) {
      code = failure.code();
    }
    execution_->start();
    return code;
  }
  /// As wait(), for a stage. @pre started as one
  void wait_as_stage() {
    execution_->wait();
    complete();
  }
  /// The code of the first error, or MPI_SUCCESS; afterwards MPI_SUCCESS. @pre the collective is not open
  int take_code() { return std::exchange(code_, MPI_SUCCESS); }
  bool has_failed() const { return code_ != MPI_SUCCESS; }
  /// Whether this object must never be destroyed (executor.hpp).
  bool is_broken() const { return execution_ && execution_->is_broken(); }

 private:
  void complete() {
    unregister();
    code_ = execution_->error();
    if (code_ != MPI_SUCCESS) return;
    try {
      for (const auto& step : last_steps_) step();
    } catch (const Failure& failure) {
      code_ = failure.code();
    } catch (const std::bad_alloc&) {
      code_ = Failure(MPI_ERR_NO_MEM, "no memory for the result of a collective").code();
    }
  }
  void unregister() {
    if (is_open_) progress_->remove(*execution_);
    is_open_ = false;
  }

  std::shared_ptr<MemoryPool> pool_;
  std::vector<Storage> storages_;
  std::vector<std::shared_ptr<const void>> kept_;
  std::vector<std::function<void()>> first_steps_, last_steps_;
  std::unique_ptr<Execution> execution_;
  ProgressEngine* progress_ = nullptr;
  bool is_open_ = false;
  int code_ = MPI_SUCCESS;
};

}  // namespace isotrope::mpi

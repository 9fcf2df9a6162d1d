// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A collective under way: an execution, the memory that it needs beside the caller's buffers, and what is
// left to do with the result when the last round is over.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "isotrope/mpi/execution.hpp"
#include "isotrope/mpi/progress.hpp"
#include "isotrope/mpi/storage.hpp"

namespace isotrope::mpi {

class Operation {
 public:
  Operation() = default;
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  /// @pre it is over, or was never started.
  ~Operation() { close(); }

  /// Memory that lives as long as the operation.
  std::byte* storage(std::uint64_t bytes) { return storages_.emplace_back(bytes).bytes(); }
  /// Something else that has to.
  void keep(std::shared_ptr<const void> kept) { kept_.push_back(std::move(kept)); }
  /// Adds what is done when all rounds are over, after what was added before.
  void finally(std::function<void()> step) { last_steps_.push_back(std::move(step)); }

  /// @param progress outlives this, and carries it on with others.
  void start(Call call, MPI_Comm comm, int tag, Progress& progress) {
    execution_ = Execution::of(std::move(call), comm, tag);
    progress_ = &progress;
    progress.add(*execution_);
    execution_->start();
  }
  /// Whether it is over. @throws Failure where the last steps fail.
  bool test() {
    if (over_) return true;
    progress_->carry_on();
    if (!execution_->test()) return false;
    finish();
    return true;
  }
  /// @throws Failure likewise.
  void wait() {
    if (over_) return;
    progress_->wait(*execution_);
    finish();
  }
  /// @pre it is over. The code of the first MPI error.
  int error() const { return execution_->error(); }

 private:
  void finish() {
    over_ = true;
    close();
    if (execution_->error() != MPI_SUCCESS) return;
    for (const auto& step : last_steps_) step();
  }
  void close() {
    if (progress_ != nullptr) progress_->remove(*execution_);
    progress_ = nullptr;
  }

  std::vector<Storage> storages_;
  std::vector<std::shared_ptr<const void>> kept_;
  std::vector<std::function<void()>> last_steps_;
  std::unique_ptr<Execution> execution_;
  Progress* progress_ = nullptr;  // while it is under way
  bool over_ = false;
};

}  // namespace isotrope::mpi

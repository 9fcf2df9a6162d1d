// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A nonblocking call that waits for the one that had its tags before (open_calls.hpp).
#pragma once

#include <memory>
#include <new>
#include <sched.h>
#include <utility>

#include "isotrope/mpi/execution.hpp"
#include "isotrope/mpi/open_calls.hpp"

namespace isotrope::mpi {

/// The execution of a call that waits for its turn. It is started once.
class QueuedExecution final : public Execution {
 public:
  QueuedExecution(std::unique_ptr<Execution> execution, std::unique_ptr<CallTurn> turn)
      : execution_(std::move(execution)), turn_(std::move(turn)) {}

 protected:
  void begin() override { begin_in_turn(); }
  bool advance() override {
    if (!begin_in_turn() || !execution_->test()) return false;
    end();
    return true;
  }
  // The engine advances the calls before this one, which are open too.
  void finish() override {
    while (!begin_in_turn()) sched_yield();
    execution_->wait();
    end();
  }

 private:
  bool begin_in_turn() {
    if (has_begun_) return true;
    if (!turn_->has_come()) return false;
    has_begun_ = true;
    execution_->start();
    return true;
  }
  void end() {
    turn_.reset();
    if (execution_->is_broken()) throw std::bad_alloc();
    note(execution_->error());
  }

  std::unique_ptr<Execution> execution_;
  std::unique_ptr<CallTurn> turn_;  // until the call is complete
  bool has_begun_ = false;
};

}  // namespace isotrope::mpi

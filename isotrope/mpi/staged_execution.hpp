// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Several collectives one after the other, as one execution: each begins when the one before is complete on this rank. Their
// steps run as those of a collective of its own.
//
// All may have the same tag. Between two ranks MPI keeps the order of messages, and each stage receives from a rank as many
// messages as that rank sends in the stage, so the messages of two stages are never mixed up, even if one rank is a stage
// ahead. If a stage fails, the next ones run nevertheless, so that no partner blocks.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "isotrope/mpi/executor.hpp"
#include "isotrope/mpi/pending_collective.hpp"

namespace isotrope::mpi {

class StagedExecution final : public Execution {
 public:
  /// @pre at least one stage; all are prepared and none is open
  explicit StagedExecution(std::vector<std::unique_ptr<PendingCollective>> stages)
      : stages_(std::move(stages)) {}

 protected:
  void begin() override {
    current_ = 0;
    note(stages_.front()->start_as_stage());
  }
  bool advance() override {
    while (current_ < stages_.size()) {
      if (!stages_[current_]->poll()) return false;
      go_on();
    }
    return true;
  }
  void finish() override {
    while (current_ < stages_.size()) {
      stages_[current_]->wait_as_stage();
      go_on();
    }
  }

 private:
  // Memory that ran out in a stage is missing here too: messages may still use that of the stage.
  void go_on() {
    if (stages_[current_]->is_broken()) throw std::bad_alloc();
    note(stages_[current_]->take_code());
    if (++current_ < stages_.size()) note(stages_[current_]->start_as_stage());
  }

  std::vector<std::unique_ptr<PendingCollective>> stages_;
  std::size_t current_ = 0;
};

}  // namespace isotrope::mpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Several collectives one after the other, as one execution: each begins when the one before is complete on this rank. Their
// steps run as those of a collective of its own. A stage may run several times, or not at all, as what is known then says; all
// ranks must agree on that.
//
// All may have the same tag. Between two ranks MPI keeps the order of messages, and each stage receives from a rank as many
// messages as that rank sends in the stage, so the messages of two stages are never mixed up, even if one rank is a stage
// ahead. If a stage fails, the next ones run nevertheless, so that no partner blocks.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "isotrope/mpi/execution.hpp"
#include "isotrope/mpi/pending_collective.hpp"

namespace isotrope::mpi {

/// A collective of a sequence.
struct Stage {
  std::unique_ptr<PendingCollective> collective;  ///< prepared, not open
  /// Whether the stage runs next; afterwards it is called again. Empty: the stage runs once.
  std::function<bool()> runs = {};
};

class StagedExecution final : public Execution {
 public:
  explicit StagedExecution(std::vector<Stage> stages) : stages_(std::move(stages)) {}

 protected:
  void begin() override {
    current_ = 0;
    runs_ = 0;
    start_next();
  }
  bool advance() override {
    while (current_ < stages_.size()) {
      if (!stages_[current_].collective->poll()) return false;
      go_on();
    }
    return true;
  }
  void finish() override {
    while (current_ < stages_.size()) {
      stages_[current_].collective->wait_as_stage();
      go_on();
    }
  }

 private:
  // Memory that ran out in a stage is missing here too: messages may still use that of the stage.
  void go_on() {
    PendingCollective& collective = *stages_[current_].collective;
    if (collective.is_broken()) throw std::bad_alloc();
    note(collective.take_code());
    ++runs_;
    start_next();
  }

  // Starts the current stage, or the first one after it that runs.
  void start_next() {
    for (; current_ < stages_.size(); ++current_, runs_ = 0) {
      const Stage& stage = stages_[current_];
      if (stage.runs ? stage.runs() : runs_ == 0) return note(stage.collective->start_as_stage());
    }
  }

  std::vector<Stage> stages_;
  std::size_t current_ = 0, runs_ = 0;  // how often the current stage has run
};

}  // namespace isotrope::mpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Interrupts (Ctrl-C, a termination request) while a file is being written: the half-written file must go.
//
// While an InterruptWatch lives, SIGINT and SIGTERM are only noted; check(), called between steps of the
// work, throws, the work unwinds and removes what it began, and main ends the program by the signal as if it
// had never been caught.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "app/progress.hpp"

namespace isotrope::app {

/// Thrown by InterruptWatch::check.
struct Interrupted {
  int signal;
};

class InterruptWatch {
 public:
  InterruptWatch();
  /// Signals end the program again.
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  /// @throws Interrupted where a signal has come since the watch began.
  static void check();
};

/// Work with a progress line that interrupts end between two of its steps.
class InterruptibleProgress {
 public:
  explicit InterruptibleProgress(std::string what) : progress_(std::move(what)) {}

  /// Shows the share done, 0..1. @throws Interrupted
  void show(double share) {
    InterruptWatch::check();
    progress_.show(share);
  }

  /// show() as the callback that the libraries take; refers to this object.
  std::function<void(double)> callback() {
    return [this](double share) { show(share); };
  }

 private:
  InterruptWatch watch_;
  Progress progress_;
};

/// Ends the program by `signal`.
[[noreturn]] void end_by(Interrupted signal);

}  // namespace isotrope::app

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Interrupts (Ctrl-C, a termination request) while a file is being written: the half-written file must go.
//
// While an InterruptibleProgress lives, SIGINT and SIGTERM are only noted; show(), called between steps of the
// work, throws, the work unwinds and removes what it began, and main ends the program by the signal as if it
// had never been caught.
#pragma once

#include <functional>
#include <string>

#include "app/progress.hpp"

namespace isotrope::app {

/// Thrown by InterruptibleProgress::show.
struct Interrupted {
  int signal;
};

/// A progress line (progress.hpp) of work that interrupts end between two of its steps. One at a time.
class InterruptibleProgress {
 public:
  /// `what` names the work, as in "writing".
  explicit InterruptibleProgress(std::string what);
  /// Wipes the line; signals end the program again.
  ~InterruptibleProgress();
  InterruptibleProgress(const InterruptibleProgress&) = delete;
  InterruptibleProgress& operator=(const InterruptibleProgress&) = delete;

  /// Shows the share done, 0..1.
  /// @throws Interrupted if a signal has come since the work began.
  void show(double share);

  /// show() as the callback that the libraries take; refers to this object.
  std::function<void(double)> callback() {
    return [this](double share) { show(share); };
  }

 private:
  Progress progress_;
};

/// Ends the program by `signal`.
[[noreturn]] void end_by(Interrupted signal);

}  // namespace isotrope::app

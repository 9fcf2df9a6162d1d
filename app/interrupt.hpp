// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Interrupts (Ctrl-C, a termination request) while a file is being written: the half-written file must go.
//
// While an InterruptWatch lives, SIGINT and SIGTERM are only noted; check(), called between steps of the
// work, throws, the work unwinds and removes what it began, and main ends the program by the signal as if it
// had never been caught.
#pragma once

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

/// Ends the program by `signal`.
[[noreturn]] void end_by(Interrupted signal);

}  // namespace isotrope::app

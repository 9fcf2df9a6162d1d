// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A progress line on stderr for work that takes over a second, if stderr is a terminal; and interrupts (Ctrl-C, a
// termination request) of work that writes files, whose half-written files must go.
//
// While an InterruptibleProgress lives, SIGINT and SIGTERM are only noted. show(), called between steps of the work,
// throws; the work unwinds and removes its files; main ends the program by the signal.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <thread>

namespace isotrope::app {

class Progress {
 public:
  /// `what` names the work, as in "verifying".
  explicit Progress(std::string what);
  /// Wipes the line.
  virtual ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows the share done, 0..1, at most ten times per second.
  virtual void show(double share);

  /// show() as the callback that the libraries take; refers to this object.
  std::function<void(double)> callback() {
    return [this](double share) { show(share); };
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::string what_;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point next_;
};

/// The progress of work that ends after a known time, shown by a thread of its own.
class TimedProgress {
 public:
  TimedProgress(std::string what, double seconds);

 private:
  Progress progress_;
  std::jthread ticker_;  // last, so that it ends first
};

/// The progress of work of unknown length, shown by a thread of its own as the time that it has taken: "planning, 12 s".
class ElapsedProgress {
 public:
  explicit ElapsedProgress(std::string what);
  /// Wipes the line.
  ~ElapsedProgress();
  ElapsedProgress(const ElapsedProgress&) = delete;
  ElapsedProgress& operator=(const ElapsedProgress&) = delete;

 private:
  std::jthread ticker_;  // none if stderr is no terminal
};

/// Thrown by InterruptibleProgress::show.
struct Interrupted {
  int signal;
};

/// The progress of work that an interrupt ends between two of its steps. One at a time.
class InterruptibleProgress : public Progress {
 public:
  explicit InterruptibleProgress(std::string what);
  /// Signals end the program again.
  ~InterruptibleProgress() override;

  /// @throws Interrupted if a signal has come since the work began.
  void show(double share) override;
};

/// Ends the program by `signal`.
[[noreturn]] void end_by(Interrupted signal);

}  // namespace isotrope::app

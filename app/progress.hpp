// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A progress line on stderr for work that takes over a second, if stderr is a terminal.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace isotrope::app {

class Progress {
 public:
  /// `what` names the work, as in "verifying".
  explicit Progress(std::string what);
  /// Wipes the line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows the share done, 0..1, at most ten times a second.
  void show(double share);

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

}  // namespace isotrope::app

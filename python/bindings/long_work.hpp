// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Work that may take long: it runs without the global interpreter lock, Ctrl-C ends it between two steps, and a Python
// function hears of its progress.
#pragma once

#include <chrono>
#include <ctime>
#include <functional>
#include <pybind11/pybind11.h>
#include <utility>

#include "isotrope/base/interruption.hpp"

namespace isotrope::python {

namespace py = pybind11;

class LongWork {
 public:
  /// `progress` is None, or called with the share done, 0..1.
  explicit LongWork(py::object progress) : progress_(std::move(progress)) {}

  /// Runs `work(progress)` on this thread, where `progress` is a callback as the libraries take it.
  /// @throws py::error_already_set if a signal has come, such as KeyboardInterrupt, or the Python function raises
  template <class Work>
  auto run(Work work) {
    const py::gil_scoped_release released;
    const InterruptionCheck check([this] {
      if (is_due()) raise_signals();
    });
    return work(std::function<void(double)>([this](double share) { show(share); }));
  }

 private:
  using Clock = std::chrono::steady_clock;

  // A round may take 100 ns, and reading the exact clock 30.
  static Clock::time_point now() {
#ifdef CLOCK_MONOTONIC_COARSE
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return Clock::time_point(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
#else
    return Clock::now();
#endif
  }
  // Taking the lock costs more than a step, so only now and then.
  bool is_due() {
    const auto time = now();
    if (time < next_) return false;
    next_ = time + std::chrono::milliseconds(20);
    return true;
  }
  static void raise_signals() {
    const py::gil_scoped_acquire acquired;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
  void show(double share) {
    if (!is_due() && share < 1) return;
    raise_signals();
    const py::gil_scoped_acquire acquired;
    if (!progress_.is_none()) progress_(share);
  }

  py::object progress_;
  Clock::time_point next_ = now() + std::chrono::milliseconds(20);
};

}  // namespace isotrope::python

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/progress.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace isotrope::app {

using namespace std::chrono_literals;

namespace {

volatile std::sig_atomic_t noted = 0;

void note(int signal) {
  noted = signal;
}

}  // namespace

Progress::Progress(std::string what)
    : what_(std::move(what)), terminal_(isatty(STDERR_FILENO) != 0), next_(Clock::now() + 1s) {}

Progress::~Progress() {
  if (shown_) fmt::print(stderr, "\r\033[K");
}

void Progress::show(double share) {
  if (!terminal_ || Clock::now() < next_) return;
  constexpr int width = 30;
  const int filled = static_cast<int>(share * width);
  fmt::print(stderr, "\r{} [{:=<{}}{: <{}}] {:3.0f} %\033[K", what_, "", filled, "", width - filled,
             share * 100);
  std::fflush(stderr);
  shown_ = true;
  next_ = Clock::now() + 100ms;
}

TimedProgress::TimedProgress(std::string what, double seconds)
    : progress_(std::move(what)), ticker_([this, seconds](const std::stop_token& stop) {
        const auto start = std::chrono::steady_clock::now();
        while (!stop.stop_requested()) {
          const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
          progress_.show(std::min(1.0, elapsed.count() / seconds));
          std::this_thread::sleep_for(20ms);
        }
      }) {}

ElapsedProgress::ElapsedProgress(std::string what) {
  if (isatty(STDERR_FILENO) == 0) return;
  ticker_ = std::jthread([what = std::move(what)](const std::stop_token& stop) {
    const auto start = std::chrono::steady_clock::now();
    auto shown = 0s;
    for (; !stop.stop_requested(); std::this_thread::sleep_for(20ms)) {
      const auto elapsed =
          std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start);
      if (elapsed <= shown) continue;
      shown = elapsed;
      fmt::print(stderr, "\r{}, {} s\033[K", what, elapsed.count());
      std::fflush(stderr);
    }
    if (shown > 0s) fmt::print(stderr, "\r\033[K");
  });
}

ElapsedProgress::~ElapsedProgress() = default;

InterruptibleProgress::InterruptibleProgress(std::string what) : Progress(std::move(what)) {
  noted = 0;
  std::signal(SIGINT, note);
  std::signal(SIGTERM, note);
}

InterruptibleProgress::~InterruptibleProgress() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

void InterruptibleProgress::show(double share) {
  if (noted != 0) throw Interrupted{noted};
  Progress::show(share);
}

void end_by(Interrupted signal) {
  std::raise(signal.signal);
  std::_Exit(128 + signal.signal);
}

}  // namespace isotrope::app

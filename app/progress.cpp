// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/progress.hpp"

#include <cstdio>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace isotrope::app {

using namespace std::chrono_literals;

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

}  // namespace isotrope::app

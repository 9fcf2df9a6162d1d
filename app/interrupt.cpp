// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/interrupt.hpp"

#include <csignal>
#include <cstdlib>
#include <utility>

namespace isotrope::app {
namespace {

volatile std::sig_atomic_t noted = 0;

void note(int signal) {
  noted = signal;
}

}  // namespace

InterruptibleProgress::InterruptibleProgress(std::string what) : progress_(std::move(what)) {
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
  progress_.show(share);
}

void end_by(Interrupted signal) {
  std::raise(signal.signal);
  std::_Exit(128 + signal.signal);
}

}  // namespace isotrope::app

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/interrupt.hpp"

#include <csignal>
#include <cstdlib>

namespace isotrope::app {
namespace {

volatile std::sig_atomic_t noted = 0;

void note(int signal) {
  noted = signal;
}

}  // namespace

InterruptWatch::InterruptWatch() {
  noted = 0;
  std::signal(SIGINT, note);
  std::signal(SIGTERM, note);
}

InterruptWatch::~InterruptWatch() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

void InterruptWatch::check() {
  if (noted != 0) throw Interrupted{noted};
}

void end_by(Interrupted signal) {
  std::raise(signal.signal);
  std::_Exit(128 + signal.signal);
}

}  // namespace isotrope::app

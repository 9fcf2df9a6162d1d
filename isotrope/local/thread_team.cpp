// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/thread_team.hpp"

#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::local {
namespace {

enum class Signal { wait, begin, leave };

}  // namespace

void on_threads(unsigned threads, const std::function<void(unsigned)>& work) {
  std::atomic<Signal> signal = Signal::wait;
  std::vector<std::jthread> others;
  others.reserve(threads);
  const auto give = [&](Signal value) {
    signal = value;
    signal.notify_all();
  };
  try {
    for (unsigned index = 1; index < threads; ++index) {
      others.emplace_back([&, index] {
        signal.wait(Signal::wait);
        if (signal == Signal::begin) work(index);
      });
    }
  } catch (const std::exception& error) {
    give(Signal::leave);
    throw Error(fmt::format("{} threads, of which the system gives {} ({}): use fewer threads", threads,
                            others.size() + 1, error.what()));
  }
  give(Signal::begin);
  work(0);
}

}  // namespace isotrope::local

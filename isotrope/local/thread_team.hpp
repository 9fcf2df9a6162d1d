// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Threads that run concurrently and can meet at barriers.
#pragma once

#include <exception>
#include <functional>
#include <latch>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::local {

/// Calls work(0), ..., work(threads - 1) concurrently, work(0) on the calling thread. Returns when all calls have
/// returned. No call begins before every thread exists, so calls can meet at a barrier.
/// @pre threads >= 1; `work` does not throw. @throws Error, before any call, if the system has too few threads
inline void on_threads(unsigned threads, const std::function<void(unsigned)>& work) {
  std::latch decided(1);
  bool complete = false;
  std::vector<std::jthread> others;
  others.reserve(threads);
  try {
    for (unsigned index = 1; index < threads; ++index) {
      others.emplace_back([&, index] {
        decided.wait();
        if (complete) work(index);
      });
    }
  } catch (const std::exception& error) {
    decided.count_down();
    throw Error(fmt::format("{} threads, but the system starts only {} ({}): use fewer threads", threads,
                            others.size() + 1, error.what()));
  }
  complete = true;
  decided.count_down();
  work(0);
}

}  // namespace isotrope::local

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A thread that advances the open collectives while the program computes, or waits in a call that has no nonblocking
// form. It sleeps while nothing is open.
//
// Cost: a step of all open collectives every 20 us, and the locks of an MPI library that threads share.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "isotrope/pmpi/interpose.hpp"
#include "isotrope/pmpi/open_collectives.hpp"

namespace isotrope::pmpi {

class ProgressThread {
 public:
  ProgressThread() = default;
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;
  ~ProgressThread() { stop(); }

  /// @param open must outlive this object. @pre MPI_THREAD_MULTIPLE
  void start(OpenCollectives& open) {
    thread_ = std::thread([this, &open] { advance(open); });
  }
  void stop() {
    if (!runs()) return;
    stops_ = true;
    OpenCollectives::wake();
    thread_.join();
    OpenCollectives::woken();  // a session may outlive MPI_Finalize
  }
  bool runs() const { return thread_.joinable(); }

 private:
  void advance(OpenCollectives& open) const {
    constexpr std::chrono::microseconds pause(20);
    const ReentryGuard guard;
    for (;;) {
      OpenCollectives::wait_for_any();
      if (stops_) return;
      open.advance_silently();
      std::this_thread::sleep_for(pause);
    }
  }

  std::atomic<bool> stops_ = false;
  std::thread thread_;
};

}  // namespace isotrope::pmpi

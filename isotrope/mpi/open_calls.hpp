// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Nonblocking calls of a channel, in turns: the calls of a collective take its tags one after the other, and again from the
// first one on, however many calls are open. A call begins when the calls that had its tags before are complete on this rank.
//
//     4 tags     call 0  1  2  3  4  5         call 4 begins when call 0 is complete
//                 tag 0  1  2  3  0  1
//
// Between two ranks MPI keeps the order of the messages with one tag. A rank sends all messages of call 0 before those of call
// 4, and receives all of call 0 before it posts a receive of call 4, so the messages of the two are never mixed up, even if one
// rank is a call ahead.
//
// Cost: an entry per open call.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "isotrope/schedule/collective.hpp"

namespace isotrope::mpi {

/// The numbers of the open calls of each collective. Several threads may use it at once.
class OpenCalls {
 public:
  void add(schedule::Collective collective, std::uint64_t number) {
    const std::scoped_lock lock(mutex_);
    of(collective).push_back(number);
  }
  void remove(schedule::Collective collective, std::uint64_t number) {
    const std::scoped_lock lock(mutex_);
    std::erase(of(collective), number);
  }
  /// Whether no earlier call that is open has the tags of call `number`. @param tags that the calls take in turns
  bool is_turn_of(schedule::Collective collective, std::uint64_t number, std::uint64_t tags) {
    if (number < tags) return true;
    const std::scoped_lock lock(mutex_);
    return std::ranges::all_of(of(collective), [=](std::uint64_t open) { return open > number - tags; });
  }

 private:
  std::vector<std::uint64_t>& of(schedule::Collective collective) {
    return numbers_.at(static_cast<std::size_t>(collective));
  }

  std::mutex mutex_;
  std::array<std::vector<std::uint64_t>, schedule::collective_count> numbers_;
};

/// A call that is open until the lifetime of this object ends.
class CallTurn {
 public:
  /// @param number of the call among those of the collective. @param tags that these calls take in turns
  CallTurn(std::shared_ptr<OpenCalls> calls, schedule::Collective collective, std::uint64_t number,
           std::uint64_t tags)
      : calls_(std::move(calls)), collective_(collective), number_(number), tags_(tags) {
    calls_->add(collective_, number_);
  }
  CallTurn(const CallTurn&) = delete;
  CallTurn& operator=(const CallTurn&) = delete;
  ~CallTurn() { calls_->remove(collective_, number_); }

  /// Whether no other open call has its tags.
  bool has_come() const { return calls_->is_turn_of(collective_, number_, tags_); }

 private:
  std::shared_ptr<OpenCalls> calls_;
  schedule::Collective collective_;
  std::uint64_t number_, tags_;
};

}  // namespace isotrope::mpi

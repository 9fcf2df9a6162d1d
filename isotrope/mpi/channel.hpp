// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The way that the messages of one communicator take: a communicator that the program does not see, the ranks of the
// partners there, and tags that no other channel uses.
//
// A program's communicator is never duplicated: a duplicate would run the program's attribute callbacks.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mpi.h>
#include <utility>
#include <vector>

#include "isotrope/network/rank_map.hpp"

#include "isotrope/schedule/collective.hpp"
#include "isotrope/schedule/plan.hpp"

#include "isotrope/mpi/open_calls.hpp"

namespace isotrope::mpi {

class HostMemory;

/// The largest tag that MPI allows, the same on all ranks. Open MPI tells it for MPI_COMM_WORLD alone; programs of sessions,
/// which have none, get 32767, the least that MPI allows.
int largest_tag();

class Channel {
 public:
  /// Creates a communicator with the ranks of `comm`; all of them must call this. Frees it unless MPI is finalised.
  /// @throws Failure if MPI creates none
  static Channel of_its_own(MPI_Comm comm);
  /// Over `shared`, which returns errors and stays the caller's.
  /// @param ranks in `shared`, by rank of the communicator that is served
  /// @param tags how many tags from `first_tag` on are the channel's
  Channel(MPI_Comm shared, std::vector<int> ranks, int first_tag, int tags)
      : comm_(shared), ranks_(std::move(ranks)), first_tag_(first_tag), tags_(tags) {}
  Channel(Channel&& other) noexcept
      : comm_(std::exchange(other.comm_, MPI_COMM_NULL)),
        is_own_(other.is_own_),
        ranks_(std::move(other.ranks_)),
        first_tag_(other.first_tag_),
        tags_(other.tags_),
        next_(other.next_),
        numbers_(other.numbers_),
        open_(std::move(other.open_)),
        next_reserved_(other.next_reserved_),
        host_memory_(std::move(other.host_memory_)),
        reserved_(std::move(other.reserved_)) {}
  Channel& operator=(Channel&&) = delete;
  ~Channel();

  MPI_Comm comm() const { return comm_; }
  /// Whether comm() serves this channel alone.
  bool is_own() const { return is_own_; }
  /// The rank in comm() of a rank of the communicator that is served.
  int rank_of(network::Rank served) const {
    return ranks_.empty() ? static_cast<int>(served) : ranks_[served];
  }

  /// The memory that ranks of a host share, made for comm(); nullptr: none.
  const std::shared_ptr<HostMemory>& host_memory() const { return host_memory_; }
  void use(std::shared_ptr<HostMemory> memory) { host_memory_ = std::move(memory); }

  /// The first of the tags of the next call of a collective, which has chains() of them. All ranks must take them for every
  /// call, so that the messages of two calls are never mixed up. A call that MPI refuses takes none, as it sends nothing in MPI either: a rank may repeat it, or go on
  /// with another collective.
  int take_tag(schedule::Collective collective) {
    const auto index = static_cast<int>(collective);
    int& next = next_.at(static_cast<std::size_t>(index));
    const int tag = first_tag_ + (index * turns() + next) * chains();
    next = next + 1 == turns() ? 0 : next + 1;
    ++numbers_.at(static_cast<std::size_t>(index));
    return tag;
  }
  /// Whether a nonblocking call may have the tags of the last call of the collective.
  bool must_queue(schedule::Collective collective) const {
    return open_ &&
           !open_->is_turn_of(collective, last_call(collective), static_cast<std::uint64_t>(turns()));
  }
  /// The last call of the collective, which is open as long as the result lives. It may outlive this channel.
  std::unique_ptr<CallTurn> turn(schedule::Collective collective) {
    if (!open_) open_ = std::make_shared<OpenCalls>();
    return std::make_unique<CallTurn>(open_, collective, last_call(collective),
                                      static_cast<std::uint64_t>(turns()));
  }
  /// How many chains a call may have, each with a tag of its own (chained_executor.cpp): those of any plan of the planner, and
  /// fewer if tags are few.
  int chains() const {
    constexpr int enough = 64;  // calls of a collective before one waits for another (open_calls.hpp)
    return std::clamp(calls() / collectives / enough, 1, static_cast<int>(schedule::most_chains));
  }
  /// The first of chains() tags that no call takes as long as the result lives, which may be longer than this channel. All
  /// ranks must reserve tags in the same order. They may give them back in any order: a tag is taken again after all others.
  /// @throws Failure if none is left
  std::shared_ptr<const int> reserve_tag();

 private:
  static constexpr auto collectives = static_cast<int>(schedule::collective_count);

  // How many tags calls take, those of each collective in turn.
  int calls() const { return tags_ - tags_ / 2; }
  // The number of the last call, from 0 on. @pre there is one
  std::uint64_t last_call(schedule::Collective collective) const {
    return numbers_.at(static_cast<std::size_t>(collective)) - 1;
  }
  // How many calls of a collective have different tags.
  int turns() const { return calls() / collectives / chains(); }

  MPI_Comm comm_;
  bool is_own_ = false;
  std::vector<int> ranks_;  // empty: those of the communicator that is served
  int first_tag_, tags_;
  std::array<int, schedule::collective_count> next_ = {};
  std::array<std::uint64_t, schedule::collective_count> numbers_ = {};  // calls so far
  std::shared_ptr<OpenCalls> open_;  // made with the first nonblocking call
  std::size_t next_reserved_ = 0;
  std::shared_ptr<HostMemory> host_memory_;
  std::shared_ptr<std::vector<bool>> reserved_ =
      std::make_shared<std::vector<bool>>();  // of the second half of the tags
};

}  // namespace isotrope::mpi

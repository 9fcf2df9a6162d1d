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
#include <memory>
#include <mpi.h>
#include <utility>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/collective.hpp"

#include "isotrope/planner/algorithm.hpp"

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
        host_memory_(std::move(other.host_memory_)),
        reserved_(std::move(other.reserved_)) {}
  Channel& operator=(Channel&&) = delete;
  ~Channel();

  MPI_Comm comm() const { return comm_; }
  /// Whether comm() serves this channel alone.
  bool is_own() const { return is_own_; }
  /// The rank of `node` in comm().
  int rank_of(network::Node node) const { return ranks_.empty() ? static_cast<int>(node) : ranks_[node]; }

  /// The memory that ranks of a host share, made for comm(); nullptr: none.
  const std::shared_ptr<HostMemory>& host_memory() const { return host_memory_; }
  void use(std::shared_ptr<HostMemory> memory) { host_memory_ = std::move(memory); }

  /// The first of the tags of the next call of a collective, which has chains() of them. All ranks must take them for every
  /// call, so that the messages of two calls are never mixed up. A call that MPI refuses takes none, as it sends nothing in MPI either: a rank may repeat it, or go on
  /// with another collective.
  int take_tag(schedule::Collective collective) {
    const auto index = static_cast<int>(collective);
    const int length = calls() / collectives / chains();
    int& next = next_.at(static_cast<std::size_t>(index));
    const int tag = first_tag_ + (index * length + next) * chains();
    next = next + 1 == length ? 0 : next + 1;
    return tag;
  }
  /// How many chains a call may have, each with a tag of its own (chained_executor.cpp): those of any plan of the planner, and
  /// fewer if tags are few.
  int chains() const {
    constexpr int enough = 64;  // calls of a collective under way
    return std::clamp(calls() / collectives / enough, 1, static_cast<int>(planner::most_chains));
  }
  /// The first of chains() tags that no call takes as long as the result lives, which may be longer than this channel. All
  /// ranks must reserve and give back tags in the same order. @throws Failure if none is left
  std::shared_ptr<const int> reserve_tag();

 private:
  static constexpr int collectives = 14;

  // How many tags calls take, those of each collective in turn.
  int calls() const { return tags_ - tags_ / 2; }

  MPI_Comm comm_;
  bool is_own_ = false;
  std::vector<int> ranks_;  // empty: those of the communicator that is served
  int first_tag_, tags_;
  std::array<int, collectives> next_ = {};
  std::shared_ptr<HostMemory> host_memory_;
  std::shared_ptr<std::vector<bool>> reserved_ =
      std::make_shared<std::vector<bool>>();  // of the second half of the tags
};

}  // namespace isotrope::mpi

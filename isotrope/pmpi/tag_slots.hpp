// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which ranges of tags of the job's communicator are taken on this rank: a slot of tags per communicator that is served.
//
// The ranks of a communicator agree on the lowest slot that is free on all of them. A rank frees a slot when the program
// frees the communicator, alone: ranks that still use it keep it from being taken again by a communicator with them.
//
// Threads may take slots for different communicators at once. One thread of a rank at a time offers slots; if another one
// is doing so somewhere, no slot is common, and all ranks of the communicator try again a little later.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <mpi.h>
#include <mutex>
#include <optional>
#include <thread>

#include "isotrope/mpi/progress_engine.hpp"

namespace isotrope::pmpi {

class TagSlots {
 public:
  /// @param largest_tag that MPI allows, at least 32767
  void set_largest_tag(int largest_tag) {
    constexpr int fewest_tags = 512;
    tags_ = std::max(fewest_tags, largest_tag / most_slots);
    free_.fill(0);
    for (int slot = 0; slot < std::min(most_slots, largest_tag / tags_); ++slot)
      free_[word(slot)] |= bit(slot);
  }

  int first_tag(int slot) const { return slot * tags_; }
  /// The tags of a slot, which the calls on its communicator take in turn.
  int tags() const { return tags_; }

  /// A slot for `comm`; all its ranks must call this. Open collectives of `progress` advance meanwhile. Nothing, on
  /// all ranks, if none is free on all, or if other threads are in the way for long.
  std::optional<int> take(MPI_Comm comm, mpi::ProgressEngine& progress) {
    constexpr int most_attempts = 12;
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
      Offer common = offer();
      const bool offers = common.all_offer != 0;
      MPI_Request request = MPI_REQUEST_NULL;
      int code = PMPI_Iallreduce(MPI_IN_PLACE, &common, sizeof(common) / sizeof(std::uint64_t), MPI_UINT64_T,
                                 MPI_BAND, comm, &request);
      if (code == MPI_SUCCESS) code = progress.wait(request);
      if (code != MPI_SUCCESS) common = {};
      const std::optional<int> slot = lowest(common.free);
      if (offers) end_offer(slot);
      if (slot || code != MPI_SUCCESS || common.all_offer != 0) return slot;
      std::this_thread::sleep_for(std::chrono::microseconds(1U << attempt));
    }
    return std::nullopt;
  }
  void give_back(int slot) {
    const std::scoped_lock lock(mutex_);
    free_[word(slot)] |= bit(slot);
  }

 private:
  static constexpr int most_slots = 4096;
  using Words = std::array<std::uint64_t, most_slots / 64>;

  struct Offer {
    Words free = {};
    std::uint64_t all_offer = 0;  // not 0 if every rank offers its free slots
  };

  Offer offer() {
    const std::scoped_lock lock(mutex_);
    if (is_offering_) return {};
    is_offering_ = true;
    return {free_, 1};
  }
  void end_offer(std::optional<int> taken) {
    const std::scoped_lock lock(mutex_);
    is_offering_ = false;
    if (taken) free_[word(*taken)] &= ~bit(*taken);
  }

  static std::optional<int> lowest(const Words& slots) {
    const auto* const found = std::ranges::find_if(slots, [](std::uint64_t bits) { return bits != 0; });
    if (found == slots.end()) return std::nullopt;
    return static_cast<int>(found - slots.begin()) * 64 + std::countr_zero(*found);
  }
  static std::size_t word(int slot) { return static_cast<std::size_t>(slot) / 64; }
  static std::uint64_t bit(int slot) { return std::uint64_t{1} << slot % 64; }

  int tags_ = 0;  // of a slot
  std::mutex mutex_;
  Words free_ = {};
  bool is_offering_ = false;
};

}  // namespace isotrope::pmpi

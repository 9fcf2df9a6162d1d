// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory that a communicator keeps from call to call. The allocator of the C library returns large blocks to the
// system, so without a pool every call would pay for page faults.
//
// Limit: 16 MiB are kept at most; larger blocks and those that were given back first are freed. Several threads may use
// a pool at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

namespace isotrope::mpi {

/// Uninitialised memory.
struct MemoryBlock {
  std::unique_ptr<std::byte[]> memory;
  std::uint64_t bytes = 0;
};

class MemoryPool {
 public:
  static constexpr std::uint64_t most_kept = std::uint64_t{1} << 24;

  /// At least `bytes` bytes: the smallest block that suffices, or a new one.
  MemoryBlock take(std::uint64_t bytes) {
    {
      const std::scoped_lock lock(mutex_);
      auto best = blocks_.end();
      for (auto block = blocks_.begin(); block != blocks_.end(); ++block) {
        if (block->bytes >= bytes && (best == blocks_.end() || block->bytes < best->bytes)) best = block;
      }
      if (best != blocks_.end()) {
        MemoryBlock result = std::move(*best);
        blocks_.erase(best);
        kept_ -= result.bytes;
        return result;
      }
    }
    return {std::make_unique_for_overwrite<std::byte[]>(bytes), bytes};
  }

  void give_back(MemoryBlock block) {
    if (block.bytes == 0 || block.bytes > most_kept) return;
    const std::scoped_lock lock(mutex_);
    while (kept_ + block.bytes > most_kept) {
      kept_ -= blocks_.front().bytes;
      blocks_.pop_front();
    }
    kept_ += block.bytes;
    blocks_.push_back(std::move(block));
  }

 private:
  std::mutex mutex_;
  std::deque<MemoryBlock> blocks_;  // the oldest first
  std::uint64_t kept_ = 0;          // bytes
};

}  // namespace isotrope::mpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory that a communicator keeps from call to call. The allocator of the C library returns large blocks to the
// system, so without a pool every call would pay for page faults.
//
// Limit: 16 MiB are kept at most; larger blocks and those that were given back first are freed. Long blocks consist of huge pages
// if the system has them: a fault for each 2 MiB instead of each 4 KiB. Several threads may use a pool at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <utility>

namespace isotrope::mpi {

/// Uninitialised memory.
struct MemoryBlock {
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };

  std::unique_ptr<std::byte[], Free> memory;
  std::uint64_t bytes = 0;

  MemoryBlock() = default;
  /// @throws std::bad_alloc
  explicit MemoryBlock(std::uint64_t size) : bytes(size) {
    constexpr std::uint64_t huge_page = std::uint64_t{1} << 21, fewest_pages = 2;
    const bool has_huge_pages = size >= fewest_pages * huge_page;
    memory.reset(static_cast<std::byte*>(
        has_huge_pages ? std::aligned_alloc(huge_page, (size + huge_page - 1) / huge_page * huge_page)
                       : std::malloc(size)));
    if (!memory && size > 0) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (has_huge_pages) madvise(memory.get(), size, MADV_HUGEPAGE);  // a hint: its result does not matter
#endif
  }
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
    return MemoryBlock(bytes);
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

/// Uninitialised memory for elements, from a pool if there is one.
class Storage {
 public:
  Storage() = default;
  explicit Storage(std::shared_ptr<MemoryPool> pool) : pool_(std::move(pool)) {}
  Storage(Storage&&) noexcept = default;
  Storage& operator=(Storage&&) = delete;
  ~Storage() { give_back(); }

  /// Provides at least `bytes` bytes. If the memory grows, its content is lost.
  void grow(std::uint64_t bytes) {
    if (bytes <= block_.bytes) return;
    give_back();
    block_ = pool_ ? pool_->take(bytes) : MemoryBlock(bytes);
  }
  /// nullptr for a size of 0.
  std::byte* bytes() const { return block_.memory.get(); }

 private:
  void give_back() {
    if (pool_ && block_.memory) pool_->give_back(std::exchange(block_, {}));
  }

  std::shared_ptr<MemoryPool> pool_;
  MemoryBlock block_;
};

}  // namespace isotrope::mpi

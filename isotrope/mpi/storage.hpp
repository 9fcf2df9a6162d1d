// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Uninitialised memory for elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace isotrope::mpi {

class Storage {
 public:
  Storage() = default;
  explicit Storage(std::uint64_t bytes) { grow(bytes); }

  /// Provides at least `bytes` bytes. If the memory grows, its content is lost.
  void grow(std::uint64_t bytes) {
    if (bytes <= bytes_) return;
    memory_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
    bytes_ = bytes;
  }
  /// nullptr for a size of 0.
  std::byte* bytes() const { return memory_.get(); }

 private:
  std::unique_ptr<std::byte[]> memory_;
  std::uint64_t bytes_ = 0;
};

}  // namespace isotrope::mpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory in huge pages if the system grants them on request (decision 13).
//
// Large blocks begin at a huge-page boundary and are marked with madvise; small ones come from operator new.
// Nothing is touched, so pages come to lie near the thread that touches them first.
#pragma once

#include <cstddef>
#include <type_traits>

namespace isotrope {

/// `bytes` bytes, aligned for any type. @throws std::bad_alloc
void* allocate_huge(std::size_t bytes);
/// Gives back what allocate_huge(bytes) returned.
void free_huge(void* memory, std::size_t bytes) noexcept;

/// A standard allocator over allocate_huge.
template <class T>
class HugePageAllocator {
 public:
  using value_type = T;
  using is_always_equal = std::true_type;

  HugePageAllocator() = default;
  template <class U>
  // NOLINTNEXTLINE(google-explicit-constructor): allocators convert into each other
  HugePageAllocator(const HugePageAllocator<U>& /*other*/) noexcept {}

  T* allocate(std::size_t count) { return static_cast<T*>(allocate_huge(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t count) noexcept { free_huge(memory, count * sizeof(T)); }

  bool operator==(const HugePageAllocator&) const = default;
};

}  // namespace isotrope

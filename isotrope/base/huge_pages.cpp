// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/base/huge_pages.hpp"

#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace isotrope {
namespace {

constexpr std::align_val_t huge_page{std::size_t{1} << 21};
constexpr std::size_t worth_it = std::size_t{1} << 22;

}  // namespace

void* allocate_huge(std::size_t bytes) {
  if (bytes < worth_it) return operator new(bytes);
  void* memory = operator new(bytes, huge_page);
#ifdef MADV_HUGEPAGE
  madvise(memory, bytes, MADV_HUGEPAGE);  // a wish; refused, the memory serves as well
#endif
  return memory;
}

void free_huge(void* memory, std::size_t bytes) noexcept {
  if (bytes < worth_it) {
    operator delete(memory);
  } else {
    operator delete(memory, huge_page);
  }
}

}  // namespace isotrope

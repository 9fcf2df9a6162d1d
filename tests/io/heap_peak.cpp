// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/io/heap_peak.hpp"

#include <algorithm>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace {

std::size_t held = 0;
std::size_t peak = 0;

// `memory`, counted.
void* counted(void* memory) {
  if (memory != nullptr) held += malloc_usable_size(memory);
  peak = std::max(peak, held);
  return memory;
}

void* required(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted(std::malloc(size == 0 ? 1 : size));
}

void* operator new(std::size_t size) {
  return required(operator new(size, std::nothrow));
}

void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  return required(counted(std::aligned_alloc(unit, (size + unit - 1) / unit * unit)));
}

void operator delete(void* memory) noexcept {
  if (memory != nullptr) held -= malloc_usable_size(memory);
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  operator delete(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  operator delete(memory);
}

namespace isotrope::io {

std::size_t heap_peak(const std::function<void()>& function) {
  const std::size_t before = held;
  peak = held;
  function();
  return peak - before;
}

}  // namespace isotrope::io

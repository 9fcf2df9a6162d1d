// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/arenas.hpp"

#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::local {
namespace {

constexpr std::align_val_t huge_page{std::size_t{1} << 21};

std::byte* allocate(std::uint64_t bytes) {
  void* memory = bytes == UINT64_MAX ? nullptr : ::operator new(bytes, huge_page, std::nothrow);
  if (memory == nullptr) {
    throw Error(fmt::format(
        "the system does not give {} bytes of buffers: use smaller blocks or a smaller network", bytes));
  }
#ifdef __linux__
  madvise(memory, bytes, MADV_HUGEPAGE);  // advice: runs as well, but slower, without
#endif
  return static_cast<std::byte*>(memory);
}

}  // namespace

void Arenas::Release::operator()(std::byte* memory) const {
  ::operator delete(memory, huge_page);
}

Arenas::Arenas(const Program& program)
    : bytes_(program.memory_bytes()), memory_(allocate(bytes_)), starts_(program.cosets.nodes().size()) {
  std::byte* next = memory_.get();
  for (const Node node : program.cosets.nodes()) {
    starts_[node] = next;
    next += program.arena_bytes[program.cosets.class_of(node)];
  }
}

}  // namespace isotrope::local

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/arenas.hpp"

#include <new>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/huge_pages.hpp"

namespace isotrope::local {
namespace {

std::byte* allocate(std::uint64_t bytes) {
  try {
    if (bytes < PTRDIFF_MAX) return static_cast<std::byte*>(allocate_huge(bytes));
  } catch (const std::bad_alloc&) {
  }
  throw Error(fmt::format(
      "the system does not give {} bytes of buffers: use smaller blocks or a smaller network", bytes));
}

}  // namespace

void Arenas::Release::operator()(std::byte* memory) const {
  free_huge(memory, bytes);
}

Arenas::Arenas(const CopyProgram& program)
    : memory_(allocate(program.memory_bytes()), Release{program.memory_bytes()}),
      starts_(program.cosets.nodes().size()) {
  std::byte* next = memory_.get();
  for (const Node node : program.cosets.nodes()) {
    starts_[node] = next;
    next += program.arena_bytes[program.cosets.class_of(node)];
  }
}

}  // namespace isotrope::local

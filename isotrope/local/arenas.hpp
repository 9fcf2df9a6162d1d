// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory of all nodes: one block, in huge pages where there are any, arena after arena in the order of
// Cosets::nodes().
//
// Nothing is touched here, so that the thread that owns a node can touch its arena first, and the pages come
// to lie near that thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "isotrope/local/copy_program.hpp"

namespace isotrope::local {

class Arenas {
 public:
  /// @throws Error if the system does not give so much memory.
  explicit Arenas(const CopyProgram& program);

  /// Place 0 of `node`.
  std::byte* of(Node node) const { return starts_[node]; }
  /// All arenas.
  std::span<std::byte> all() const { return {memory_.get(), memory_.get_deleter().bytes}; }

 private:
  struct Release {
    std::uint64_t bytes;
    void operator()(std::byte* memory) const;
  };

  std::unique_ptr<std::byte[], Release> memory_;
  std::vector<std::byte*> starts_;  // by node
};

}  // namespace isotrope::local

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory of all nodes: one block, in huge pages if possible, with one arena per node in the order of
// Cosets::nodes(). The memory is not touched here: pages are placed near the thread that touches them first,
// which is to be the thread that owns the node.
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
  /// @throws Error if the system has too little memory.
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

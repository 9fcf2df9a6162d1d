// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The traffic of the collectives isotropic and task, which no name implies.
//
//     isotropic    every node sends the same blocks, in relative addresses: what origin 0 sends names them all
//     task         any blocks from any node to any other
//
// Source of isotropic tasks: Varvarigos and Bertsekas 1992, Section 2.
#pragma once

#include <cstdint>

#include "isotrope/network/network.hpp"

namespace isotrope::schedule {

using network::Node;

/// A node to which origin 0 sends blocks, and their number. Every block is cut into the task's parts.
struct RelativeDestination {
  Node to;
  std::uint32_t blocks = 1;

  bool operator==(const RelativeDestination&) const = default;
};

/// Blocks from one node to another. Every block is cut into the task's parts.
struct Delivery {
  Node from;
  Node to;
  std::uint32_t blocks = 1;

  bool operator==(const Delivery&) const = default;
};

/// A block of its own size.
struct SizedBlock {
  Node from;
  Node to;
  std::uint64_t bytes;
};

}  // namespace isotrope::schedule

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// How a plan of an allreduce or barrier cuts the vector: a slice for every block that its first stage reduces.
//
//     exchange, or all packets are parts of one block      1 slice
//     replicated                                           slice b is reduced at node b
//     packets listed, not replicated                       the blocks (origin, number) in ascending order
//
// So the slices cover the vector, whatever nodes have failed and however many blocks a node reduces.
// Cost: O(packets log packets) once, O(log slices) for the slice of a packet.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::rank {

class VectorSlices {
 public:
  /// One slice if the plan has no stage.
  explicit VectorSlices(const schedule::Plan& plan);

  std::uint32_t count() const { return count_; }
  /// Whether slice b is that of node b.
  bool by_node() const { return by_node_; }
  /// The slice of a packet of either stage. @throws Error if the first stage does not reduce its block.
  std::uint32_t of(const schedule::Packet& packet) const;
  /// The slices of the packets of the first stage, by packet; none if there is one slice, or one per node.
  std::vector<std::uint32_t> listed(const schedule::Plan& plan) const;

 private:
  using Name = std::pair<schedule::Node, std::uint32_t>;  // origin, block

  std::uint32_t count_ = 1;
  bool by_node_ = false;
  std::vector<Name> names_;  // ascending; none if there is one slice, or one per node
};

}  // namespace isotrope::rank

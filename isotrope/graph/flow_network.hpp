// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Largest flows: arcs with capacities, to which arcs can be added between augmentations.
//
// Method: blocking flows along shortest ways (Dinic). Cost: O(nodes^2 arcs) at most, far less on the networks here.
// Deterministic: arcs are tried in order, the last added first.
// Source: E. A. Dinic, Algorithm for solution of a problem of maximum flow in networks with power estimation, 1970.
#pragma once

#include <cstdint>
#include <vector>

namespace isotrope::graph {

class FlowNetwork {
 public:
  using Arc = std::uint32_t;

  explicit FlowNetwork(std::uint32_t nodes) : last_(nodes, none), level_(nodes), current_(nodes) {}

  /// The number of the new arc. @pre fewer than 2^31 arcs.
  Arc add_arc(std::uint32_t from, std::uint32_t to, std::uint64_t capacity);
  /// Makes the flow from `source` to `sink` as large as it can be, and returns what is added.
  std::uint64_t augment(std::uint32_t source, std::uint32_t sink);
  /// Takes all flow away.
  void clear();
  std::uint64_t flow(Arc arc) const { return halves_[2 * std::size_t{arc} + 1].left; }
  /// By node, whether more could flow to it from `source`. After augment these nodes are the source side of a smallest
  /// cut.
  std::vector<bool> source_side(std::uint32_t source);

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  // An arc or its reverse, which follows it.
  struct Half {
    std::uint32_t to;
    std::uint32_t before;  // the half added before at the same node
    std::uint64_t left;    // of its capacity
  };

  void add_half(std::uint32_t from, std::uint32_t to, std::uint64_t capacity);
  void find_levels(std::uint32_t source, std::uint32_t sink);
  std::uint64_t blocking_flow(std::uint32_t source, std::uint32_t sink);
  std::uint32_t next_half(std::uint32_t node);
  std::uint64_t send_along_path();

  std::vector<Half> halves_;
  std::vector<std::uint32_t> last_;     // by node: the half added last
  std::vector<std::uint32_t> level_;    // by node
  std::vector<std::uint32_t> current_;  // by node: the half to try next
  std::vector<std::uint32_t> reached_;
  std::vector<std::uint32_t> path_;  // halves
};

}  // namespace isotrope::graph

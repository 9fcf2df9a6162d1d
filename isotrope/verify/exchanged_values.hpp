// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Flow `exchange`: which contributions every value of a node contains.
//
// A value is a set of contributing nodes. A sum is valid if the sets of its values are disjoint, and a part is
// delivered if the listed result is a disjoint union of all nodes:
//
//     values of node 0 of hypercube:2, hops [[0,0,0]] then [[1,0,1]], sums [0, [0]] and [0, [0, 1]]:
//     0: {0}    1: {1} by port 0    2: {2, 3} by port 1    result [0, 1, 2] = {0, 1, 2, 3}
//
// In a scan or exscan every node adds those of the listed values that contain contributions of nodes up to it only
// (exscan: before it). The sets of all listed values must be disjoint, and what a node adds must be the contributions
// of all these nodes.
//
// Method: one node per class of nodes that the stage treats alike has its sets written out; the sets of another
// node of the class are their translates. Cost: O(N / 64) per value of a sum and O(members) per translation;
// memory N bits per value. A scan takes O(values) per node in addition: node v + s comes before v exactly if the
// first coordinate in which s is not 0 wraps around at v, so the least s of each such coordinate decides. If every node is a
// class, the last contributor does.
#pragma once

#include <bit>
#include <cstdint>
#include <deque>
#include <vector>

#include "isotrope/schedule/node_classes.hpp"

#include "isotrope/verify/holdings.hpp"

namespace isotrope::verify {

class ExchangedValues {
 public:
  /// All refer to the plan, which must outlive this. `nodes` are those that take part.
  ExchangedValues(const schedule::Network& network, const schedule::Task& task, const schedule::Stage& stage,
                  const schedule::NodeClasses& classes, const std::vector<Node>& nodes);

  /// Whether the memory that the sets of a stage take is within bounds.
  static bool fits(const schedule::Stage& stage, std::uint64_t parts, const schedule::NodeClasses& classes);

  /// Whether node `from` has all values of sum number `sum`, and they have no contribution in common.
  bool send(PacketId sum, Node from);
  /// Numbers the oldest sum on its way as the next value of node `to`.
  void receive(PacketId sum, Node to, std::uint64_t rounds);
  Refusal refusal() const { return refusal_; }
  /// Calls visit(part, node) if the result of a part at `node` is not every contribution that it must contain, exactly
  /// once: for the representatives of classes, and in a scan or exscan for every node.
  template <class Visit>
  Delays finish(Visit visit) const {
    for (std::uint32_t part = 0; part < parts_; ++part) {
      for (Node c = 0; c < classes_.count(); ++c) {
        if (schedule::is_prefix(collective_)) {
          for (const Node node : nodes_without_prefix(part, c)) visit(part, node);
        } else if (takes_part(representatives_[c]) && !is_complete(part, c)) {
          visit(part, representatives_[c]);
        }
      }
    }
    return Delays(0);
  }

 private:
  using NodeSet = std::vector<std::uint64_t>;  // one bit per node

  std::vector<NodeSet>& values(std::uint32_t part, Node node_class) {
    return values_[std::uint64_t{part} * classes_.count() + node_class];
  }
  bool takes_part(Node node) const { return (everyone_[node / 64] >> (node % 64) & 1) != 0; }
  const std::vector<schedule::ValueId>& result(std::uint32_t part, Node node_class) const {
    const bool same_everywhere = stage_.result.size() == parts_;
    return stage_.result[same_everywhere ? part : std::uint64_t{part} * classes_.count() + node_class];
  }
  bool is_complete(std::uint32_t part, Node node_class) const;
  /// The nodes of the class, of those that take part, whose part of a scan or exscan is wrong.
  std::vector<Node> nodes_without_prefix(std::uint32_t part, Node node_class) const;
  std::uint64_t added_by_one(std::uint32_t part, Node node_class, Node node) const;
  std::vector<Node> taking_part(Node node_class) const;
  /// Adds `more` to `sum`; false if they have members in common.
  static bool add(NodeSet& sum, const NodeSet& more);
  NodeSet translated(const NodeSet& set, Node by) const;
  /// Calls visit(node) for the members, ascending.
  template <class Visit>
  static void for_each(const NodeSet& set, Visit visit) {
    for (std::size_t i = 0; i < set.size(); ++i) {
      for (std::uint64_t left = set[i]; left != 0; left &= left - 1)
        visit(static_cast<Node>(64 * i) + static_cast<Node>(std::countr_zero(left)));
    }
  }
  void count_survivors();

  // A sum on its way: the set at the representative of the sender's class, and the sender minus that.
  struct SentSum {
    NodeSet set;
    Node translation;
  };

  const schedule::Network& network_;
  schedule::Collective collective_;
  const schedule::Stage& stage_;
  std::uint32_t parts_;
  const schedule::NodeClasses& classes_;
  NodeSet everyone_;
  std::vector<Node> representatives_;         // by class
  std::vector<Node> survivors_before_;        // by node, in a scan or exscan
  std::vector<std::vector<NodeSet>> values_;  // by part and class, then by number of the value
  std::deque<SentSum> messages_;              // of the round, in order of the hop list
  Refusal refusal_{Rule::holding, ""};
};

}  // namespace isotrope::verify

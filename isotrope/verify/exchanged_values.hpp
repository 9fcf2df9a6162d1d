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
// Method: one node per class of nodes that the stage treats alike has its sets written out; the sets of another
// node of the class are their translates. Cost: O(N / 64) per value of a sum and O(members) per translation;
// memory N bits per value.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "isotrope/schedule/node_classes.hpp"

#include "isotrope/verify/holdings.hpp"

namespace isotrope::verify {

class ExchangedValues {
 public:
  /// All refer to the plan, which must outlive this. `nodes` are those that take part.
  ExchangedValues(const schedule::Network& network, const schedule::Stage& stage, std::uint32_t parts,
                  const schedule::NodeClasses& classes, const std::vector<Node>& nodes);

  /// Whether the memory that the sets of a stage take is within bounds.
  static bool fits(const schedule::Stage& stage, std::uint64_t parts, const schedule::NodeClasses& classes);

  /// Whether node `from` has all values of sum number `sum`, and they have no contribution in common.
  bool send(PacketId sum, Node from);
  /// Numbers the oldest sum on its way as the next value of node `to`.
  void receive(PacketId sum, Node to, std::uint64_t rounds);
  Refusal refusal() const { return refusal_; }
  /// Calls visit(part, node) if the result of a part at the representative `node` is not every contribution
  /// exactly once.
  template <class Visit>
  Delays finish(Visit visit) const {
    for (std::uint32_t part = 0; part < parts_; ++part) {
      for (Node c = 0; c < classes_.count(); ++c) {
        if (takes_part(representatives_[c]) && !is_complete(part, c)) visit(part, representatives_[c]);
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
  bool is_complete(std::uint32_t part, Node node_class) const;
  /// Adds `more` to `sum`; false if they have members in common.
  static bool add(NodeSet& sum, const NodeSet& more);
  NodeSet translated(const NodeSet& set, Node by) const;

  // A sum on its way: the set at the representative of the sender's class, and the sender minus that.
  struct SentSum {
    NodeSet set;
    Node translation;
  };

  const schedule::Network& network_;
  const schedule::Stage& stage_;
  std::uint32_t parts_;
  const schedule::NodeClasses& classes_;
  NodeSet everyone_;
  std::vector<Node> representatives_;         // by class
  std::vector<std::vector<NodeSet>> values_;  // by part and class, then by number of the value
  std::deque<SentSum> messages_;              // of the round, in order of the hop list
  Refusal refusal_{Rule::holding, ""};
};

}  // namespace isotrope::verify

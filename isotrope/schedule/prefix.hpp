// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The values of an exchange that a node adds at the end of a scan or exscan.
//
// All nodes list the same values, as a replicated stage must, and a node leaves out those that contain a contribution
// of a later node (in an exscan, also its own):
//
//     scan on ring:4, every node gathers all         value 0: own    1: of v - 1    2: of v + 1    3: of v - 2
//     node 0 adds                                    0
//     node 1 adds                                    0               1
//     node 3 adds                                    0               1              2              3
//
// Method: a value is kept as the set of s with contributor v + s, which is the same at all nodes v of a class. v + s is
// a node before v exactly if the first coordinate in which s is not 0 wraps around at v. So of a set only the least s
// of every such coordinate matters. If every node is a class, the last contributor of a value decides.
//
// Cost: O(contributors of all values, per class), or O(values of all sums) if every node is a class; per node O(values).
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/schedule.hpp"
#include "isotrope/schedule/task.hpp"

namespace isotrope::schedule {

class PrefixValues {
 public:
  /// Follows the sums of `stage`, the exchange of a scan or exscan. @pre hops, sums and results lie inside the network,
  /// the parts and the values received so far
  PrefixValues(const network::Network& network, const Task& task, const Stage& stage);

  /// The values that `node` adds, in the order of its list, its own first; none for node 0 of an exscan.
  /// @throws Error if the list has a value that the node does not have
  std::vector<ValueId> result(std::uint32_t part, Node node) const;

 private:
  // When a value has contributors before the node only.
  struct Value {
    struct Lead {
      std::uint32_t axis;
      network::Coordinate least;  // of the s whose first coordinate other than 0 is this
    };
    std::vector<Lead> leads;  // ascending by axis
    bool own = false;         // contains the node's own contribution
  };

  void follow_classes();
  void follow_nodes();
  std::size_t place(std::uint32_t part, Node node) const {
    return std::size_t{part} * classes_.count() + classes_.of(node);
  }
  Value summary(const std::vector<Node>& differences) const;
  bool is_before(const Value& value, Node node) const;

  const network::Network& network_;
  const Task& task_;
  const Stage& stage_;
  NodeClasses classes_;
  // By part and class, then by number of the value: one of the two.
  std::vector<std::vector<Value>> values_;
  std::vector<std::vector<Node>> last_contributors_;
};

}  // namespace isotrope::schedule

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which nodes share a leaf switch, by their latencies: within a leaf they are short, between leaves long.
//
// Method: average linkage. The two groups whose mean latency is least are joined until one group is left; the order of joins
// gives a partition for every number of groups. A chain of nearest neighbours finds the joins (F. Murtagh, "A survey of
// recent advances in hierarchical clustering algorithms", 1983).
//
// Cost: O(N^2), and O(N) for every partition that is read.
#pragma once

#include <vector>

#include "isotrope/graph/latency_fit.hpp"

namespace isotrope::graph {

class LeafSwitches {
 public:
  /// Keeps no reference to the latencies.
  explicit LeafSwitches(const Latencies& latencies);

  /// The likeliest numbers of leaves, from 2 to N / 2, at most as many as given: those before which the mean latency between
  /// groups that are joined rises most. Likeliest first.
  std::vector<network::Node> likely_leaves(std::size_t most) const;
  /// By node, its leaf if there are this many leaves: any node of the leaf. @pre 1 <= leaves <= N
  std::vector<network::Node> leaves_of_nodes(network::Node leaves) const;

 private:
  struct Join {
    double latency;
    network::Node kept, gone;
  };
  std::vector<Join> joins_;  // least latency first
};

}  // namespace isotrope::graph

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// All nodes of a network, ordered by their class under a replication (schedule::NodeClasses). So a contiguous
// range of positions, such as the share of a thread, contains a contiguous range of every class. Class 0 is the
// subgroup of translations.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "isotrope/network/group.hpp"

#include "isotrope/schedule/node_classes.hpp"

namespace isotrope::local {

using network::Node;

/// Positions begin..end-1 in the order of Cosets::nodes().
struct Positions {
  Node begin;
  Node end;
};

class Cosets {
 public:
  /// @throws Error if the replication's axis is not a coordinate of even modulus.
  Cosets(const network::Group& group, schedule::Replication replication)
      : classes_(group, replication), nodes_(group.order()) {
    std::iota(nodes_.begin(), nodes_.end(), Node{0});
    std::ranges::stable_sort(nodes_, {}, [this](Node node) { return class_of(node); });
  }

  Node count() const { return classes_.count(); }
  /// Members of every class.
  Node size() const { return classes_.size(); }
  Node class_of(Node node) const { return classes_.of(node); }

  /// All nodes, class by class.
  std::span<const Node> nodes() const { return nodes_; }
  /// The members of class `index` within `range`.
  std::span<const Node> members(Node index, Positions range) const {
    const Node begin = std::max(index * size(), range.begin);
    const Node end = std::min((index + 1) * size(), range.end);
    return begin < end ? std::span(nodes_).subspan(begin, end - begin) : std::span<const Node>();
  }
  /// The subgroup.
  std::span<const Node> translations() const { return std::span(nodes_).first(size()); }

 private:
  schedule::NodeClasses classes_;
  std::vector<Node> nodes_;
};

}  // namespace isotrope::local

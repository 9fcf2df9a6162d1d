// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// All nodes of a network, ordered by the classes that a replication treats alike (schedule::NodeClasses), so
// that a contiguous range of positions, which is what a thread owns, meets every class in a contiguous range.
// Class 0 is the subgroup of translations.
#pragma once

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
  Cosets(const network::Group& group, schedule::Replication replication);

  Node count() const { return classes_.count(); }
  /// Members of a class; every class has as many.
  Node size() const { return classes_.size(); }
  Node class_of(Node node) const { return classes_.of(node); }

  /// All nodes, class by class.
  std::span<const Node> nodes() const { return nodes_; }
  /// The members of `index` that lie within `range`.
  std::span<const Node> members(Node index, Positions range) const;
  /// The subgroup.
  std::span<const Node> translations() const { return std::span(nodes_).first(size()); }

 private:
  schedule::NodeClasses classes_;
  std::vector<Node> nodes_;
};

}  // namespace isotrope::local

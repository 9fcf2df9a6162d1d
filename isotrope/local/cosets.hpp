// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Classes of nodes that a replicated stage treats alike: the cosets of its subgroup of translations.
//
//     replication    classes               members of class c
//     all            1                     every node
//     even_axis k    2                     coordinate k is c modulo 2
//     none           N                     node c alone
//
// Class 0 is the subgroup itself. Nodes are kept class by class, so that a contiguous range of positions,
// which is what a thread owns, meets every class in a contiguous range.
#pragma once

#include <span>
#include <vector>

#include "isotrope/network/group.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::local {

using network::Node;

/// Positions begin..end-1 in the order of Cosets::nodes().
struct Positions {
  Node begin;
  Node end;
};

class Cosets {
 public:
  /// @throws Error where the replication's axis is not a coordinate of even modulus.
  Cosets(const network::Group& group, schedule::Replication replication);

  Node count() const { return count_; }
  /// Members of a class; every class has as many.
  Node size() const { return size_; }
  Node class_of(Node node) const { return node / stride_ % count_; }

  /// All nodes, class by class.
  std::span<const Node> nodes() const { return nodes_; }
  /// The members of `index` that lie within `range`.
  std::span<const Node> members(Node index, Positions range) const;
  /// The subgroup.
  std::span<const Node> translations() const { return std::span(nodes_).first(size_); }

 private:
  Node stride_ = 1;
  Node count_ = 1;
  Node size_ = 1;
  std::vector<Node> nodes_;
};

}  // namespace isotrope::local

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The classes of nodes that a replicated stage treats alike: the cosets of its subgroup of translations.
//
//     replication    classes    members of class c
//     all            1          every node
//     even_axis k    2          coordinate k, or the sum of several, is c modulo 2
//     none           N          node c alone
//
// A hop stands for one hop from every node of its sender's class, so counts per node (links,
// ports, places for data) are needed only per class. Class 0 is the subgroup itself.
#pragma once

#include <vector>

#include "isotrope/network/divisor.hpp"
#include "isotrope/network/network.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::schedule {

class NodeClasses {
 public:
  /// @throws Error if an axis of even_axis is not a coordinate of even modulus, or if there is none.
  NodeClasses(const network::Group& group, Replication replication);

  /// The class of `node`, 0..count()-1.
  Node of(Node node) const {
    Node result = stride_.quotient(node);
    for (const network::Divisor& stride : further_strides_) result ^= stride.quotient(node);
    return result & mask_;
  }
  Node count() const { return count_; }
  /// Nodes in one class, that is translates of one hop.
  Node size() const { return size_; }

 private:
  network::Divisor stride_{1};
  std::vector<network::Divisor> further_strides_;  // of even_axis with several coordinates
  Node mask_ = 0;
  Node count_ = 1;
  Node size_;
};

}  // namespace isotrope::schedule

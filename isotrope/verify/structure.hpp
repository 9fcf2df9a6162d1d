// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What can be checked before any hop is followed: that the stages fit the collective, the network and each
// other, and that their packets are those the collective asks for.
#pragma once

#include "isotrope/verify/violations.hpp"

namespace isotrope::verify {

/// Adds what is wrong; where it adds nothing, every stage's packets are well defined (schedule::Packets) and
/// in range.
void check_structure(const Plan& plan, Violations& violations);

/// The nodes that take part: all but the failed ones, ascending.
std::vector<Node> surviving_nodes(const Plan& plan);

/// Their number.
std::uint64_t surviving_count(const Plan& plan);

/// Cosets of the translations that replicate a stage: a hop stands for one hop from every node of its
/// sender's class.
class NodeClasses {
 public:
  NodeClasses(const schedule::Network& network, schedule::Replication replication);

  /// 0..count()-1.
  Node of(Node node) const { return node / stride_ & mask_; }
  Node count() const { return count_; }
  /// Nodes in one class, that is translates of one hop.
  Node size() const { return size_; }

 private:
  Node stride_ = 1;
  Node mask_ = 0;
  Node count_ = 1;
  Node size_;
};

}  // namespace isotrope::verify

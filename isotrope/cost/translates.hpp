// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// How the hops of a replicated stage are followed: one node for its whole class, or translate by translate.
//
// The translates of a hop send from every node of one class and arrive at every node of one class, once each.
// So what happens to one member happens to all at the same time, and a class needs one entry:
//
//     0 -> g    g -> 2g    2g -> 3g ...      every node sends once and receives once
//
// That fails where a node cannot do both at once: under half duplex, over a port that leads to the sender's
// own class. There the translates have to queue, each is followed by itself, in the order of verify::expand,
// and every node is a class.
#pragma once

#include <span>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/port_model.hpp"

namespace isotrope::cost {

using network::Network;
using network::Node;

class Translates {
 public:
  /// For stages with this replication on a machine with these ports.
  /// @throws Error where the axis of even_axis is not a coordinate of even modulus.
  Translates(const Network& network, schedule::Replication replication, schedule::PortModel ports);

  /// The classes that need an entry each.
  const schedule::NodeClasses& classes() const { return classes_; }
  /// The translations by which every listed hop is followed; 0 alone where a class stands for its members.
  std::span<const Node> shifts() const { return shifts_; }

 private:
  schedule::NodeClasses classes_;
  std::vector<Node> shifts_{0};
};

}  // namespace isotrope::cost

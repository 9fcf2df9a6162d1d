// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The classes of places that share the links of one node (node_places.hpp), for what is counted by class of a replicated stage.
//
//     replication, R = 4           classes of the places of a node    group           members
//     none                         four                               the four        1
//     all                          one                                the one         4
//     even_axis, last axis         two, in turns                      both            2
//     even_axis, another axis      one                                the one         4
//
// Cost: O(N) at most, once.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/schedule/node_classes.hpp"

namespace isotrope::cost {

class LaneGroups {
 public:
  /// Of `order` places, `lanes` >= 1 of them in every node. One lane: every class is a group of its own.
  LaneGroups(const schedule::NodeClasses& classes, network::Node order, std::uint32_t lanes);

  /// The group of a class: the lowest class in it.
  network::Node of(network::Node place_class) const {
    return lowest_.empty() ? place_class : lowest_[place_class];
  }
  /// How many places of one node are in each of its classes.
  std::uint32_t members() const { return members_; }

 private:
  std::vector<network::Node> lowest_;  // by class; empty: one lane
  std::uint32_t members_ = 1;
};

}  // namespace isotrope::cost

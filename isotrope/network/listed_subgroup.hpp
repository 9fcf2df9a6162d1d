// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A subgroup by its elements, which grows as others are added; subgroup.hpp tells the index without listing any.
//
//     Z_12, add 4       0 4 8
//           add 6       0 4 8 6 10 2
//
// Cost: O(1) an element of the subgroup, in all; memory O(N) for a group of order N.
#pragma once

#include <vector>

#include "isotrope/network/group.hpp"

namespace isotrope::network {

class ListedSubgroup {
 public:
  /// With 0 alone. `group` must outlive this.
  explicit ListedSubgroup(const Group& group) : group_(group), has_(group.order(), false), elements_{0} {
    has_[0] = true;
  }

  bool has(Node element) const { return has_[element]; }
  /// In the order in which they came; 0 first.
  const std::vector<Node>& elements() const { return elements_; }
  /// Adds the element, and with it all sums of its multiples and what is there.
  void add(Node element);

 private:
  const Group& group_;
  std::vector<bool> has_;
  std::vector<Node> elements_;
};

}  // namespace isotrope::network

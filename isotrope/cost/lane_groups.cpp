// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/lane_groups.hpp"

#include <algorithm>

namespace isotrope::cost {

using network::Node;

LaneGroups::LaneGroups(const schedule::NodeClasses& classes, Node order, std::uint32_t lanes) {
  if (lanes == 1) return;
  lowest_.assign(classes.count(), classes.count());
  Node known = 0;
  for (Node first = 0; first < order && known < classes.count(); first += lanes) {
    Node lowest = classes.of(first);
    for (Node place = first; place < first + lanes; ++place) lowest = std::min(lowest, classes.of(place));
    Node different = 0;
    for (Node place = first; place < first + lanes; ++place) {
      Node& group = lowest_[classes.of(place)];
      if (group == classes.count()) ++different;
      group = lowest;
    }
    if (known == 0) members_ = lanes / different;
    known += different;
  }
}

}  // namespace isotrope::cost

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/part_machine.hpp"

#include "isotrope/cost/node_places.hpp"

namespace isotrope::cost {

Machine machine_of_part(const Machine& whole, std::span<const std::uint32_t> axes) {
  const Machine shared = with_even_shares(whole);
  Machine result = shared;
  result.listed_classes = {};
  result.link_class_count = 0;
  for (LinkClass links : shared.link_classes()) {
    const std::uint64_t before = links.axes;
    links.axes = 0;
    for (std::uint32_t axis = 0; axis < axes.size() && axis < most_class_axes; ++axis) {
      if (axes[axis] < most_class_axes && (before >> axes[axis] & 1) != 0)
        links.axes |= std::uint64_t{1} << axis;
    }
    if (links.axes != 0) result.listed_classes[result.link_class_count++] = links;
  }
  return result;
}

}  // namespace isotrope::cost

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/node_classes.hpp"

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::schedule {
namespace {

void require_even(const network::Group& group, std::uint32_t axis) {
  if (axis < group.rank() && group.moduli()[axis] % 2 == 0) return;
  throw Error(
      fmt::format("replication over even coordinates {}: give a coordinate, 0..{}, whose modulus is even",
                  axis, group.rank() - 1));
}

}  // namespace

NodeClasses::NodeClasses(const network::Group& group, Replication replication) : size_(group.order()) {
  switch (replication.kind) {
    case Replication::Kind::none:
      mask_ = ~Node{0};
      count_ = group.order();
      size_ = 1;
      break;
    case Replication::Kind::even_axis: {
      require_even(group, replication.axis);
      // The modulus is even, so the coordinate has the parity of the number divided by its stride.
      Node stride = 1;
      for (std::size_t axis = replication.axis + 1; axis < group.rank(); ++axis)
        stride *= group.moduli()[axis];
      stride_ = network::Divisor(stride);
      mask_ = 1;
      count_ = 2;
      size_ = group.order() / 2;
      break;
    }
    case Replication::Kind::all:
      break;
  }
}

}  // namespace isotrope::schedule

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/node_classes.hpp"

namespace isotrope::schedule {

NodeClasses::NodeClasses(const network::Group& group, Replication replication) : size_(group.order()) {
  switch (replication.kind) {
    case Replication::Kind::none:
      mask_ = ~Node{0};
      count_ = group.order();
      size_ = 1;
      break;
    case Replication::Kind::even_axis: {
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

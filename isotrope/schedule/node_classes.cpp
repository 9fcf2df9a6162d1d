// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/node_classes.hpp"

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::schedule {
namespace {

// The coordinates of a replication by even ones.
std::vector<std::size_t> even_axes(const network::Group& group, std::uint64_t axes) {
  std::vector<std::size_t> result;
  for (std::size_t axis = 0; axis < 64; ++axis) {
    if ((axes >> axis & 1) == 0) continue;
    result.push_back(axis);
    if (axis < group.rank() && group.moduli()[axis] % 2 == 0) continue;
    throw Error(
        fmt::format("replication over even coordinates {}: give a coordinate, 0..{}, whose modulus is even",
                    axis, group.rank() - 1));
  }
  if (result.empty()) throw Error("replication over even coordinates: give at least one coordinate");
  return result;
}

// A modulus is even, so its coordinate has the parity of the number divided by its stride.
network::Divisor stride_of(const network::Group& group, std::size_t axis) {
  Node stride = 1;
  for (++axis; axis < group.rank(); ++axis) stride *= group.moduli()[axis];
  return network::Divisor(stride);
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
      const std::vector<std::size_t> axes = even_axes(group, replication.axes);
      stride_ = stride_of(group, axes.front());
      for (std::size_t i = 1; i < axes.size(); ++i) further_strides_.push_back(stride_of(group, axes[i]));
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

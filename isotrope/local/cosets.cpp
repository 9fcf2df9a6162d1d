// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/cosets.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::local {
namespace {

// What one step along `axis` adds to a node's number.
Node stride_of(const network::Group& group, std::size_t axis) {
  const auto after = group.moduli().subspan(axis + 1);
  return std::accumulate(after.begin(), after.end(), Node{1}, std::multiplies<>());
}

void require_even(const network::Group& group, std::uint32_t axis) {
  if (axis < group.rank() && group.moduli()[axis] % 2 == 0) return;
  throw Error(
      fmt::format("replication over even coordinates {}: give a coordinate, 0..{}, whose modulus is even",
                  axis, group.rank() - 1));
}

}  // namespace

// A node's class is (node / stride) mod count: parity survives the reduction modulo an even modulus.
Cosets::Cosets(const network::Group& group, schedule::Replication replication) : nodes_(group.order()) {
  using Kind = schedule::Replication::Kind;
  if (replication.kind == Kind::even_axis) {
    require_even(group, replication.axis);
    stride_ = stride_of(group, replication.axis);
  }
  count_ = replication.kind == Kind::all ? 1 : replication.kind == Kind::none ? group.order() : 2;
  size_ = group.order() / count_;
  std::iota(nodes_.begin(), nodes_.end(), Node{0});
  std::ranges::stable_sort(nodes_, {}, [this](Node node) { return class_of(node); });
}

std::span<const Node> Cosets::members(Node index, Positions range) const {
  const Node begin = std::max(index * size_, range.begin);
  const Node end = std::min((index + 1) * size_, range.end);
  return begin < end ? std::span(nodes_).subspan(begin, end - begin) : std::span<const Node>();
}

}  // namespace isotrope::local

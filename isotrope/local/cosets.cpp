// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/cosets.hpp"

#include <algorithm>
#include <numeric>

namespace isotrope::local {

Cosets::Cosets(const network::Group& group, schedule::Replication replication)
    : classes_(group, replication), nodes_(group.order()) {
  std::iota(nodes_.begin(), nodes_.end(), Node{0});
  std::ranges::stable_sort(nodes_, {}, [this](Node node) { return class_of(node); });
}

std::span<const Node> Cosets::members(Node index, Positions range) const {
  const Node begin = std::max(index * size(), range.begin);
  const Node end = std::min((index + 1) * size(), range.end);
  return begin < end ? std::span(nodes_).subspan(begin, end - begin) : std::span<const Node>();
}

}  // namespace isotrope::local

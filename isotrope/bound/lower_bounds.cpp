// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/lower_bounds.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "isotrope/bound/kinds.hpp"

namespace isotrope::bound {

std::vector<Bound> bounds_on(const GraphView& view) {
  if (!view.is_connected()) return {};
  if (view.node_count() == 1) return {{"degree", 0, "a single node has nothing to send"}};
  std::vector<Bound> bounds;
  for (const BoundKind& kind : kinds) {
    if (view.unlimited() && !kind.holds_unlimited) continue;
    if (auto bound = kind.bound(view)) bounds.push_back(*std::move(bound));
  }
  std::ranges::stable_sort(bounds, std::greater<>(), &Bound::value);
  return bounds;
}

std::vector<Bound> lower_bounds(const Problem& problem) {
  return bounds_on(GraphView(problem));
}

}  // namespace isotrope::bound

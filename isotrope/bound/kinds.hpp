// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The kinds of bounds, a function each, on one view of the problem. To add a kind: its file, its declaration here
// and its row in `kinds`.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "isotrope/schedule/bound.hpp"
#include "isotrope/schedule/ceil_div.hpp"

#include "isotrope/bound/graph_view.hpp"

namespace isotrope::bound {

using schedule::Bound;
using schedule::ceil_div;
using schedule::saturating_product;

// Each: nothing if the kind says nothing about the problem. @pre the nodes that are up are connected, and at least
// two.
std::optional<Bound> distance_sum_bound(const GraphView& view);
std::optional<Bound> degree_bound(const GraphView& view);
std::optional<Bound> distance_bound(const GraphView& view);
std::optional<Bound> dissemination_bound(const GraphView& view);
std::optional<Bound> far_nodes_bound(const GraphView& view);
std::optional<Bound> ramp_bound(const GraphView& view);
std::optional<Bound> root_sends_bound(const GraphView& view);
std::optional<Bound> paths_bound(const GraphView& view);
std::optional<Bound> prices_bound(const GraphView& view);
std::optional<Bound> gossip_bound(const GraphView& view);
std::optional<Bound> fronts_bound(const GraphView& view);
std::optional<Bound> port_sum_bound(const GraphView& view);
std::optional<Bound> cut_bound(const GraphView& view);
std::optional<Bound> work_bound(const GraphView& view);
std::optional<Bound> tracks_bound(const GraphView& view);

struct BoundKind {
  std::optional<Bound> (*bound)(const GraphView& view);
  bool holds_unlimited;  ///< whether it holds for messages of any number of packets
};

/// Bounds of equal value are listed in this order.
inline constexpr std::array kinds{
    BoundKind{distance_sum_bound, false}, BoundKind{degree_bound, false},
    BoundKind{distance_bound, true},      BoundKind{dissemination_bound, true},
    BoundKind{far_nodes_bound, true},     BoundKind{port_sum_bound, false},
    BoundKind{cut_bound, false},          BoundKind{work_bound, false},
    BoundKind{gossip_bound, true},        BoundKind{fronts_bound, true},
    BoundKind{ramp_bound, false},         BoundKind{root_sends_bound, false},
    BoundKind{paths_bound, false},        BoundKind{prices_bound, false},
    BoundKind{tracks_bound, false},
};

/// Replaces `best` by a larger bound; of equal ones the first stays.
inline void raise(Bound& best, Bound other) {
  if (other.value > best.value) best = std::move(other);
}

/// Every bound on the view, the largest first; as lower_bounds for its problem.
std::vector<Bound> bounds_on(const GraphView& view);

}  // namespace isotrope::bound

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

// Each: nothing if the kind says nothing about the problem. @pre the nodes that are up are connected, and at least
// two.
std::optional<Bound> distance_sum_bound(const GraphView& view);
std::optional<Bound> degree_bound(const GraphView& view);
std::optional<Bound> distance_bound(const GraphView& view);
std::optional<Bound> dissemination_bound(const GraphView& view);
std::optional<Bound> far_nodes_bound(const GraphView& view);
std::optional<Bound> port_sum_bound(const GraphView& view);
std::optional<Bound> cut_bound(const GraphView& view);
std::optional<Bound> matching_bound(const GraphView& view);

struct BoundKind {
  std::optional<Bound> (*bound)(const GraphView& view);
  bool holds_aggregated;  ///< whether it holds for messages of several packets
};

/// Bounds of equal value are listed in this order.
inline constexpr std::array kinds{
    BoundKind{distance_sum_bound, false}, BoundKind{degree_bound, false},    BoundKind{distance_bound, true},
    BoundKind{dissemination_bound, true}, BoundKind{far_nodes_bound, false}, BoundKind{port_sum_bound, false},
    BoundKind{cut_bound, false},          BoundKind{matching_bound, false},
};

/// Replaces `best` by a larger bound; of equal ones the first stays.
inline void raise(Bound& best, Bound other) {
  if (other.value > best.value) best = std::move(other);
}

/// The fewest nodes at the greatest distance D from all four nodes that know a packet after 2 rounds, over all
/// ways of two rounds (far_nodes.cpp); 0 if the count would take more than 2^26 steps.
std::uint64_t fewest_far_nodes(const Network& network);

/// Every bound on the view, the largest first; as lower_bounds for its problem.
std::vector<Bound> bounds_on(const GraphView& view);

}  // namespace isotrope::bound

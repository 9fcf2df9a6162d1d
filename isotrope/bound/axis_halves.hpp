// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The cut bound on alltoall if axes are open or rates are not 1: half of the nodes of an axis against the other half, in
// closed form.
//
//     an axis of p nodes    floor(p / 2) ceil(p / 2) (N / p)^2 P packets go from the lower half to the upper one, over
//                           N / p links on a line, 2 N / p on a ring, floor(p / 2) ceil(p / 2) N / p if it is complete,
//                           times the rate of the axis
//
// On products of lines, rings and complete networks no other cut says more: routes exist that load no link more
// (algorithm/exchange/farthest_first_exchange.hpp).
#pragma once

#include <optional>

#include "isotrope/schedule/bound.hpp"

#include "isotrope/bound/graph_view.hpp"

namespace isotrope::bound {

/// The bound of kind "cut" by the best axis; nothing unless alltoall is asked on such a product, with open axes or rates
/// other than 1 and without failures.
std::optional<schedule::Bound> axis_halves_bound(const GraphView& view);

}  // namespace isotrope::bound

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The cut bound on allgather where axes have unlike rates: the nodes that differ along the other axes only, in closed form.
//
//     axes J    the N / p nodes, p the product of the extents of J, that lie at the first coordinate of each axis of J:
//               (N - N / p) P packets enter over N / p times the links of a node along J
//
// A node at the end of a line has one link along it, times the rate of the axis. J with all axes is the degree bound; a
// proper subset says more if links along the others are far faster: on torus:4x4@9,1 a row along axis 0 hears from the
// others over 2 links a node, ceil(3 P / 2) rounds for the 15 P / 20 of the degree bound.
// Cost: O(2^axes).
#pragma once

#include <optional>

#include "isotrope/schedule/bound.hpp"

#include "isotrope/bound/graph_view.hpp"

namespace isotrope::bound {

/// The bound of kind "cut" by the best set of axes; nothing unless an allgather or reduce-scatter is asked on a product of
/// at most 16 axes with rates other than 1 (product_axes.hpp), without failures.
std::optional<schedule::Bound> axis_slices_bound(const GraphView& view);

}  // namespace isotrope::bound

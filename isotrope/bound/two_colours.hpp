// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks whose nodes have two colours, with links between unlike ones only, as meshes, and the messages that they carry in a
// round: no more each way than the ports of the colour that has fewer.
//
//     mesh:3x3    x . x    over one port 4 messages a round go to the x, as 4 nodes send to them, and 4 come from them
//                 . x .
//                 x . x
//
// Let X have n nodes, the most, and let the ports of all nodes of either colour be m at least. In an allgather the nodes of X
// receive n (N - 1) P packets, m a round; an allreduce takes 2 (N - 1) B messages, 2 m a round. Under half duplex m messages a round go both
// ways together.
//
// Cost: O(links).
#pragma once

#include <optional>

#include "isotrope/bound/kinds.hpp"

namespace isotrope::bound {

/// The bound of kind "cut" between both colours; nothing if nodes have no such colours. @pre something has failed or axes are
/// open; the traffic is all_to_all or reduced
std::optional<Bound> two_colours_bound(const GraphView& view);

}  // namespace isotrope::bound

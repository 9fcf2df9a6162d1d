// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A node whose farthest other node is as near as possible: there a vector is reduced in the fewest rounds.
//
//     mesh:8x8    node 27 at (3, 3), 8 hops from (7, 7)    node 0, a corner, is 14 hops from it
//
// Method. The distance to any node bounds the eccentricity of another from below. A search from the node of least bound
// either meets its bound, which nobody beats then, or finds a far node whose distances raise the bounds of others. If all
// nodes are nearly alike that goes on, and after `most_searches` pairs of searches the best node so far is taken.
#pragma once

#include "isotrope/network/surviving_network.hpp"

namespace isotrope::network {

/// The lowest of several such nodes that the searches find. @pre all nodes that are left can reach each other
Node centre(const SurvivingNetwork& network);

}  // namespace isotrope::network

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The torus whose axes algorithms follow that send beyond neighbours. On a whole torus it is the network itself. An axis that no
// link closes is split into the prime factors of its extent, the largest one nearest: digits of a coordinate, which are added
// without a carry. So no message goes round:
//
//     line:8           2 x 2 x 2        node 5 = (1,0,1); links of 4, 2 and 1 hops
//     line:6xring:4    2 x 3 x 4        links of 3 hops; of 1 hop, or 2 back to the first digit; of 1 hop
//     edges, 12 nodes  2 x 2 x 3        as line:12: their numbers are all that is known of the nodes
//
// Nodes keep their numbers. The axes come in levels: the nearest factor of every axis, then the next ones.
#pragma once

#include <optional>
#include <vector>

#include "isotrope/network/failures.hpp"
#include "isotrope/network/network.hpp"
#include "isotrope/network/torus_axes.hpp"

namespace isotrope::network {

struct SplitTorus {
  Network network;
  std::vector<std::vector<TorusAxis>> levels;  ///< of network's axes, each level by ascending coordinate
};

/// The torus of `network` without what it `lacks`, or nothing: if no axis is open and no edges are listed, `network` must be a
/// torus by its ports. @pre 2 nodes or more; the axes can be open (closing_links).
std::optional<SplitTorus> split_torus(const Network& network, const Failures& lacks);

}  // namespace isotrope::network

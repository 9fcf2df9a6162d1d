// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The network that is left after nodes have failed (network/nodes_left.hpp), whose links keep the times that they had.
//
//     torus:4x4 without node 5, a class of axis 1      15 nodes with 28 listed links; those along axis 1 have times of their own
//
// A network of listed links has no axes, so the link classes of axes become times of single links, and the machine has none.
// Cost: O(links log links).
#pragma once

#include "isotrope/network/parse.hpp"

#include "isotrope/cost/machine.hpp"

namespace isotrope::cost {

/// A network with the times of its links.
struct NodesLeft {
  network::NamedNetwork network;
  Machine machine;
};

/// `whole` and `links` themselves if no node has failed or there are no link classes of axes.
/// @throws Error as network::network_left and LinkTimes
NodesLeft nodes_left(const network::NamedNetwork& whole, const Machine& links);

}  // namespace isotrope::cost

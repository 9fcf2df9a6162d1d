// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A spanning tree of the survivors of failures: shortest paths from the root, each node below the neighbour with the
// fewest children so far, children sorted by the height of the tree below them, the highest first.
//
// Claim: with all ports, P packets pipelined along the tree take P + h - 1 rounds, h the distance of the farthest
// survivor, the least for P = 1.
// Cost: O(links), and sorting the children.
#pragma once

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/algorithm/trees/child_ports.hpp"

namespace isotrope::algorithm {

/// The tree from `root`, which spans the survivors that the root can reach. @pre the root survives.
ChildPorts surviving_tree(const network::SurvivingNetwork& network, network::Node root);

}  // namespace isotrope::algorithm

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A torus as a SimGrid cluster: one element, whose routes SimGrid computes axis by axis.
//
//     torus:4x4x8      <cluster ... topology="TORUS" topo_parameters="8,4,4"/>      the last axis first, as it counts fastest
//     hypercube:3      <cluster ... topology="TORUS" topo_parameters="2,2,2"/>
//
// Hosts are n0, n1, ... in order of nodes, as in simgrid_platform(). A link is split in two directions. Cost: O(axes), so
// networks of any size have a cluster; simgrid_platform() writes routes out, and evens their loads.
// Source: SimGrid's cluster element and its class TorusZone.
#pragma once

#include <string>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/cost/machine.hpp"

#include "isotrope/exports/simgrid_platform.hpp"

namespace isotrope::exports {

/// The platform file of one cluster. Latency and bandwidth of its links are the start-up and the time per byte of `machine`.
/// @throws Error if the network is no torus, nodes, links or the closing links of axes are missing, or links are of
/// different rates or classes; the message names the format that takes them
std::string simgrid_cluster(const network::SurvivingNetwork& network,
                            const cost::Machine& machine = default_links);

}  // namespace isotrope::exports

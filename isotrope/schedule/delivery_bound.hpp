// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Lower bounds for any task of personal packets, isotropic or not; symbols and kinds as in bound.hpp.
//
//     degree        the busiest node sends or receives over c ports; under half duplex over one for both
//     distance      of one node's packets for distance j or more, the last to leave still has j to go
//     distance-sum  all packets together, over c ports of every node; under half duplex a packet takes two
//     port-sum      the same with weighted ports
//
// The last two are means over the nodes. With weights 1 on one dimension of a hypercube and 0 elsewhere the last
// is the first part of Theorem 1 of Varvarigos and Bertsekas 1992; distance is its second part, sharpened.
// Cost: O(deliveries log deliveries + N), and that of port_sum.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/schedule/bound.hpp"
#include "isotrope/schedule/delivery.hpp"

namespace isotrope::schedule {

/// Every bound for `deliveries`, every block cut into `parts`, the largest first; one a kind.
/// @pre the deliveries are between nodes of the network, with fewer than 2^32 packets in all.
std::vector<Bound> lower_bounds(const Network& network, std::span<const Delivery> deliveries,
                                std::uint32_t parts, PortModel ports, RoundKind rounds);

}  // namespace isotrope::schedule

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Deliveries, blocks from one node to another: those of a problem of personal blocks, and the packets of the
// collective `task`.
//
// A failed node neither sends nor receives blocks. The distances before the failures decide which nodes a
// neighborhood has: failed links change no membership.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/schedule/problem.hpp"
#include "isotrope/schedule/schedule.hpp"
#include "isotrope/schedule/traffic.hpp"

namespace isotrope::schedule {

/// The deliveries of scatter, gather, alltoall, neighborhood and isotropic among the nodes that are up: by
/// ascending sender, then ascending receiver (isotropic: in the order of its destinations). The deliveries of
/// task are returned as they are. Cost: O(N) per sender.
/// @throws Error for any other collective.
std::vector<Delivery> deliveries_of(const Problem& problem);

/// The packets of a task, every block cut into `parts`: in order of deliveries, then blocks, then parts. The
/// blocks of an origin are numbered from 0 in that order.
std::vector<Packet> packets_of(const network::Network& network, std::span<const Delivery> deliveries,
                               std::uint32_t parts);

}  // namespace isotrope::schedule

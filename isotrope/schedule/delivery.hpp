// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the collective `task` consists of: any blocks from any node to any other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/schedule/schedule.hpp"
#include "isotrope/schedule/traffic.hpp"

namespace isotrope::schedule {

/// The packets of a task, every block cut into `parts`: in order of deliveries, then blocks, then parts. The
/// blocks of an origin are numbered from 0 in that order.
std::vector<Packet> packets_of(const network::Network& network, std::span<const Delivery> deliveries,
                               std::uint32_t parts);

}  // namespace isotrope::schedule

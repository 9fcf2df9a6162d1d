// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Valid plans for the tests, for every collective: packets travel along trees of shortest routes, as early as
// they can, in combining rounds. Trees are found by breadth-first search over the ports in order, or, for
// origins with an odd coordinate, in reverse order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::local {

/// Rooted collectives have replication none. Packets are listed where they are not implied.
schedule::Plan tree_plan(const std::string& network, schedule::Collective collective,
                         schedule::Replication replication, std::uint32_t parts = 1, network::Node root = 0);

/// A plan without stages or packets.
schedule::Plan empty_plan(const std::string& network, schedule::Collective collective,
                          std::uint32_t parts = 1);

using HopTable = std::vector<std::vector<schedule::Hop>>;

HopTable table(const schedule::Rounds& rounds);
schedule::Rounds rounds(const HopTable& table);

}  // namespace isotrope::local

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Distances by breadth-first search, for networks without a formula.
//
// The search runs once, at the first question, whichever thread asks it; the table is shared by all copies of
// a network.
//
// Cost: N * degree additions, then O(1) per question. Memory: 2 bytes per node if the diameter is below 65535,
// else 4.
#pragma once

#include <memory>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::network {

/// The metric of the Cayley graph of `group` with `generators`, which must generate the group.
std::shared_ptr<const Metric> search_metric(Group group, std::vector<Node> generators);

}  // namespace isotrope::network

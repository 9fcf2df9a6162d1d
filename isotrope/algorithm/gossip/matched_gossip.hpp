// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Gossip by a matching of links per port and round (gossip.hpp): a link weighs as much as it tells its receiver, and a
// little more or less by chance. Several constructions with different noise; the best one is kept.
#pragma once

#include <optional>

#include "isotrope/algorithm/gossip/gossip.hpp"

namespace isotrope::algorithm {

std::optional<Gossip> matched_gossip(const Network& network, schedule::PortModel ports,
                                     const SearchLimits& limits);

}  // namespace isotrope::algorithm

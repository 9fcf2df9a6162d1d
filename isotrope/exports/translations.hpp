// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The translations by which a stage is replicated, for exports that write every hop.
#pragma once

#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::exports {

/// The members of the class of node 0, ascending.
std::vector<network::Node> translations(const network::Network& network,
                                        const schedule::Replication& replication);

/// A packet moved by the translation `shift`.
schedule::Packet translated(const network::Network& network, schedule::Packet packet, network::Node shift);

}  // namespace isotrope::exports

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The aggregated collectives that a gossip serves, in as many rounds (gossip.hpp).
//
//     allgather    a message holds the packets of its sender that the receiver lacks and gets from no one else
//     alltoall     the packet from u to v goes the way on which v first hears of u
//
// Reduce-scatter is the allgather backwards; allreduce and barrier gather all contributions (schedule/exchanges.hpp).
// A gossip that is invariant gives a schedule replicated to all origins; other schedules list every origin.
// Cost: O(hops).
#pragma once

#include <cstdint>

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/gossip/gossip.hpp"

namespace isotrope::algorithm {

/// Blocks in `parts` >= 1 parts: one stage, copied. @pre the gossip is one of `network` under `ports`.
schedule::Schedule gossip_allgather(const Network& network, std::uint32_t parts, schedule::PortModel ports,
                                    const Gossip& gossip);

/// Blocks in `parts` >= 1 parts: one stage, moved. @pre as above.
schedule::Schedule gossip_exchange(const Network& network, std::uint32_t parts, schedule::PortModel ports,
                                   const Gossip& gossip);

}  // namespace isotrope::algorithm

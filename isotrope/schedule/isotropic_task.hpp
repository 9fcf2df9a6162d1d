// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Isotropic tasks: every node sends the same packets, in relative addresses. A task is therefore said by what
// origin 0 sends:
//
//     alltoall              a block to every node but 0
//     neighborhood:K:L      a block to every node at distance K..L
//     isotropic             any number of blocks to any node
//
// Source: Varvarigos and Bertsekas 1992, Section 2.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/schedule/schedule.hpp"
#include "isotrope/schedule/task.hpp"

namespace isotrope::schedule {

/// The relative destinations of alltoall or neighborhood, ascending. Cost: O(N).
/// @throws Error for any other collective.
std::vector<RelativeDestination> relative_destinations(const Network& network, const Task& task);

/// The packets of one origin, every block cut into `parts`, in order of destinations, then blocks, then
/// parts. Blocks are numbered from `first_block`.
std::vector<Packet> isotropic_packets(const Network& network,
                                      std::span<const RelativeDestination> destinations, std::uint32_t parts,
                                      Node origin, std::uint32_t first_block = 0);

}  // namespace isotrope::schedule

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks and plans as tables of comma-separated values, with a head line.
//
//     node,port,neighbour                                              one line per directed link
//     stage,round,from,port,to,origin,destination,block,part,bytes     one line per hop, translates included
//
// Rounds are counted from 0 through all stages. The destination is a node or `all`; origin, destination,
// block and part are those of the packet (schedule/schedule.hpp). Plans may have failed nodes.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/plan.hpp"

namespace isotrope::exports {

/// Writes the links, ascending by node and port.
void write_csv(std::ostream& out, const network::SurvivingNetwork& network);

/// Writes the hops, round by round. @param block_bytes of a block, or of the vector of an allreduce
/// @param progress called after every round with the share done, 0..1; its exceptions are passed on
/// @throws Error if the plan has too many hops (sizes.hpp).
void write_csv(std::ostream& out, const schedule::Plan& plan, std::uint64_t block_bytes,
               const std::function<void(double)>& progress = {});

}  // namespace isotrope::exports

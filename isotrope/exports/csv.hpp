// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks and plans as tables of comma-separated values, with a head line.
//
//     node,port,neighbour                                              a directed link a line
//     stage,round,from,port,to,origin,destination,block,part,bytes     a hop a line, translates written out
//
// Rounds are counted from 0 through all stages. The destination is a node or `all`; origin, destination,
// block and part are those of the packet (schedule/schedule.hpp). Plans with failed nodes have tables as
// well.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::exports {

/// The links, ascending by node and port.
void write_csv(std::ostream& out, const network::Network& network);

/// The hops, by rounds; blocks (of allreduce the vector) have `block_bytes` bytes.
/// @param progress called now and then with the share done, 0..1; what it throws is passed on
/// @throws Error if the plan has too many hops (sizes.hpp).
void write_csv(std::ostream& out, const schedule::Plan& plan, std::uint64_t block_bytes,
               const std::function<void(double)>& progress = {});

}  // namespace isotrope::exports

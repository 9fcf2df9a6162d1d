// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Routes of an isotropic task, exchanged for others to the same destinations until no port carries too much.
//
//     circulant:13:1,2    shortest routes: 6 hops over +1 and -1 together, 18 over +2 and -2, 9 rounds
//                         four packets take (2,0) for (0,1): 14 and 14 hops, 7 rounds, the port-sum bound
//
// For T rounds no port may carry more than T, all ports together no more than c T, and no row may be longer than
// T. The goal is to make the excess 0, the sum of the squares by which these limits are exceeded. A move adds a
// relation (route_relations.hpp) to a row and, to keep opposite ports alike, subtracts it from the row to the
// opposite destination. First come moves that lessen the excess: those that cost no length by the weights of the
// port-sum bound, then any; at the optimum of its linear program no others are needed. Then come random moves from
// a fixed seed, accepted half as often for every unit by which the excess grows. T begins at the bound; then T is
// one less than the rounds reached, until a search fails or the moves in order are used up.
//
// Claims: never more rounds than before nor fewer than `least`; the least on most networks of up to some hundred
// nodes (isotropic_exchange_test.cpp). A group with one element t = -t cannot always reach it: the hops of all
// rows together lead from 0 to t, so ports and their opposites cannot all carry the same.
// Cost: at most 2^26 moves in order, and for each T 2^20 at random, or 2^12 per row; memory 4 bytes per row, node
// and pair of ports. Tasks with more than 2^26 such numbers keep their routes.
#pragma once

#include <cstdint>
#include <span>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/isotropic_task.hpp"

#include "isotrope/algorithm/exchange/matrix_decomposition.hpp"

namespace isotrope::algorithm {

/// A matrix with rows to the same destinations, one per block, that `c` >= 1 ports per round clear in fewer
/// rounds, `least` or more; or `routes` itself. `weights`, one per port, are those of the port-sum bound, or
/// equal. @pre `routes` has rows as shortest_routes (route_choice.hpp); opposite ports have the same weight.
TaskMatrix balance_routes(const network::Network& network,
                          std::span<const schedule::RelativeDestination> destinations, TaskMatrix routes,
                          std::uint32_t c, std::uint64_t least, std::span<const std::uint32_t> weights);

/// The same for `blocks` in `parts` each, with the weights of their port-sum bound, and `bound` for the least.
TaskMatrix balance_to_bound(const network::Network& network,
                            std::span<const schedule::RelativeDestination> blocks, std::uint32_t parts,
                            TaskMatrix routes, std::uint32_t c, std::uint64_t bound);

}  // namespace isotrope::algorithm

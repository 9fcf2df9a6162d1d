// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Routes of an isotropic task exchanged for others to the same destinations, until no port has too much to
// carry.
//
//     circulant:13:1,2    shortest routes: 6 hops over +1 and -1 together, 18 over +2 and -2, 9 rounds
//                         four packets take (2,0) for (0,1): 14 and 14 hops, 7 rounds, the port-sum bound
//
// To clear the matrix in T rounds, no port may carry more than T, all together c T, and no row be longer than
// T. What exceeds that, squared and summed, is to become 0. A move adds a relation (route_relations.hpp) to a
// row and, to keep opposite ports alike, takes it from the row to the opposite destination as well. First
// come the moves that lessen the excess: those that cost no length by the weights of the port-sum bound, then
// any; at the optimum of its linear program no others are needed. Then moves at random, with a fixed seed,
// half as often for every unit by which the excess grows. T is the bound at first, then one less than what
// has been reached, until that fails.
//
// Claims: never more rounds than before, nor fewer than `least`; the least of most networks of up to some
// hundred nodes (isotropic_exchange_test.cpp). A group with one element t = -t cannot always reach it: the
// hops of all rows together lead from 0 to t, so that ports and their opposites cannot all carry the same.
// Cost: for each T at most 2^26 moves are looked at in order, and 2^20 or 2^12 a row at random; memory 4
// bytes a row, node and pair of ports. Tasks with more than 2^26 such numbers keep their routes.
#pragma once

#include <cstdint>
#include <span>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/isotropic_task.hpp"

#include "isotrope/algorithm/exchange/matrix_decomposition.hpp"

namespace isotrope::algorithm {

/// A matrix with rows to the same destinations, one a block, that `c` >= 1 ports a round clear in fewer
/// rounds, `least` or more; or `routes` itself. `weights`, one a port, are those of the port-sum bound, or
/// equal. @pre `routes` has rows as shortest_routes (route_choice.hpp); opposite ports have the same weight.
TaskMatrix balance_routes(const network::Network& network,
                          std::span<const schedule::RelativeDestination> destinations, TaskMatrix routes,
                          std::uint32_t c, std::uint64_t least, std::span<const std::uint32_t> weights);

}  // namespace isotrope::algorithm

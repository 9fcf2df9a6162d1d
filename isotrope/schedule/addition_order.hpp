// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The order in which the nodes of an exchange add: whether rounded sums have the same bits at all nodes.
//
//     recursive doubling, 4 nodes     all nodes       (0 + 1) + (2 + 3)                     alike
//     Swing without divisions, ring:8 nodes 0, 1      ((0 1) (6 7)) ((2 3) (4 5)) and
//                                                     ((0 1) (2 3)) ((6 7) (4 5))           not alike
//
// a + b has the bits of b + a; (a + b) + c may differ from a + (b + c). Lists of values are added from the left, at the
// end the node's own first, as the programs of ranks do (rank/exchange_moves.hpp).
//
// Method: every sum is a random 64-bit mark that stands for the tree of its additions, alike for both orders of two
// terms. Different trees have equal marks with a probability of 2^-64 each. Cost: a step for each value that is added at
// each node, a mark for each value.
#pragma once

#include <cstdint>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::schedule {

/// Whether all nodes end an allreduce by the exchange with the same bits, whatever rounding additions do.
/// @pre a valid exchange of an allreduce of `parts` parts over the ports of `network`; nothing has failed.
bool adds_alike(const network::Network& network, std::uint32_t parts, const Stage& exchange);

}  // namespace isotrope::schedule

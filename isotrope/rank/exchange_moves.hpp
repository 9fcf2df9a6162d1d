// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The moves of a stage of the flow exchange, by class (moves.hpp).
//
// Every value that a node receives gets a slot. Before a round every node adds up what it sends in it, and after the
// last round its result, by local moves: those from a node to itself. A sum that extends one of an earlier round
// continues in the slot of the latter, so that a running sum is one addition per round:
//
//     recursive doubling on 8 nodes     round 0    send {0}           own contribution
//                                       round 1    send {0, 1}        slot = own; slot += value 1
//                                       round 2    send {0, 1, 2}     slot += value 2
//                                       end        {0, 1, 2, 3}       slot += value 3
//
// The order of additions is that of the listed values, at the end the node's own first.
//
// In a scan or exscan the results differ from node to node (schedule/prefix.hpp), so the moves of all nodes are those
// of single nodes: the hops are written out. The moves of one node need its class only, but for its result.
//
// Cost: O(hops + values of all sums), N times that for a scan of all nodes; a slot per value.
#pragma once

#include "isotrope/rank/moves.hpp"

namespace isotrope::rank {

/// The moves of `plan`, whose first stage is an exchange.
/// @throws Error if there are more stages, hops lie outside the network or the list of sums, or a sum or a result has
/// values that a node does not have; or if a scan has too many hops on all nodes to be written out.
MovePlan compile_exchange_moves(const schedule::Plan& plan, const RoundListener& listener);

/// The same by the classes of the stage, but the last moves bring the result of `node` to its output, and there are no
/// others' results.
MovePlan compile_exchange_moves_of(const schedule::Plan& plan, Node node, const RoundListener& listener);

}  // namespace isotrope::rank

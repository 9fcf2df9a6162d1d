// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// An exchange as a table of permutations, for JAX's lax.ppermute. A JSON object:
//
//     "nodes"          how many there are
//     "permutations"   lists of pairs [source, destination]: every port, from the nodes of each class
//     "slots"          a list per slot of pairs [origin, destination]: slot s of the origin begins with its packet for the
//                      destination, and slot s of the destination ends with it
//     "parts"          the part of the block in each slot, if blocks have several
//     "rounds"         lists of pairs [slot, permutation]; the entries of a round are independent of each other
//     "barriers"       the numbers of rounds after which nothing is in flight, if the plan has barriers
//
// All nodes execute the same program; a node outside a permutation holds nothing in the slot:
//
//     for moves in table["rounds"]:
//       sent = {slot: lax.ppermute(buffer[slot], "x", table["permutations"][p]) for slot, p in moves}
//       buffer.update(sent)
#pragma once

#include <functional>
#include <iosfwd>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::exports {

/// @param progress called after every round with the share done, 0..1; its exceptions are passed on
/// @pre the plan is valid (verify it first).
/// @throws Error if the plan is not one stage of packets that move, as those of alltoall do, or around failures, and if it has
/// too many hops (sizes.hpp).
void write_ppermute(std::ostream& out, const schedule::Plan& plan,
                    const std::function<void(double)>& progress = {});

}  // namespace isotrope::exports

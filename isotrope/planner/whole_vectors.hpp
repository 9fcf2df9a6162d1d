// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Allreduce of vectors that travel whole: recursive doubling on groups whose moduli are powers of two.
//
//     round, of Z_8       0                1                2
//     node v sends to     v + 4            v + 2            v + 1
//     and has then        v, v + 4         all even, or     all
//                                          all odd, of them
//
// Largest digits first, so that the nodes which share a partial result are cosets of a subgroup: both partners
// combine the same two values, and all nodes end with the same bits. log2 N rounds of one message a node, half
// of those of halving and doubling, each of the whole vector.
//
// The plan is a reduce-scatter, recursive halving: if all its N blocks are the same vector, what a message
// carries of several blocks is one and the same partial result, and is sent once (rank::compile_whole_vectors).
// Source: R. Thakur, R. Rabenseifner and W. Gropp, IJHPCA 19(1), 2005, Section 4.5, on hypercubes.
#pragma once

#include <cstdint>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/cost/machine.hpp"

#include "isotrope/planner/prediction.hpp"

namespace isotrope::planner {

/// Whether it can: moduli are powers of two, nodes send and receive at once, and the machine lets messages
/// pass nodes, or none has to, as on hypercubes.
bool doubles_whole_vectors(const Network& network, const cost::Machine& machine);

/// @pre it can.
Prediction predict_whole_vectors(const Network& network, std::uint64_t vector_bytes,
                                 const cost::Machine& machine);

/// The reduce-scatter, on the Cayley graph of the powers of two, over one port. @pre it can.
schedule::Plan plan_whole_vectors(const Network& network);

}  // namespace isotrope::planner

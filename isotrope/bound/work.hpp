// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The work bound: all transmissions that a collective needs, over those that a round has room for.
//
//     half duplex               a transmission occupies its sender and its receiver: floor(N / 2) a round
//     full duplex, c ports      N c a round; only for allreduce and barrier, as the bounds by degree and by distance
//                               count the same for all others
//
// An allreduce takes 2 (N - 1) transmissions a packet of the vector, whatever is combined: take them in order. Before
// the first node depends on the contributions of all, N - 1 have joined them. Every other node needs one more to
// depend on all. Messages of up to K packets count K-fold.
#pragma once

#include <cstdint>

#include "isotrope/schedule/problem.hpp"

namespace isotrope::bound {

using schedule::Problem;

/// The least number of packet transmissions over links, all nodes together; saturates at 2^64-1. 0, for not known,
/// for isotropic and task and around failures.
std::uint64_t least_transmissions(const Problem& problem);

}  // namespace isotrope::bound

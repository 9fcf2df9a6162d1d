// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Allreduces whose messages carry sums of numbered values, and an allreduce that reduces and then copies.
#pragma once

#include <cstdint>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::verify {

/// Recursive doubling on ring:2^d over the overlay hypercube:d: round j adds what lies over bit j. d rounds.
schedule::Plan recursive_doubling(std::uint32_t dimension);

/// Linear exchange on ring:n over the overlay complete:n: every node sends its contribution to all, in one
/// round, and adds what it has.
schedule::Plan linear_exchange(std::uint32_t nodes);

/// The fold on ring:p, p = 4 w for a power of 2, w: exchange with x xor 1; for each width w' = 1, 2, .., w,
/// send the whole sum 2 w' s(x) on; exchange with x + s(x). s(x) = 1 for odd x, -1 for even x. Over the overlay
/// circulant:p with all these offsets, replicated over even coordinates.
schedule::Plan fold(std::uint32_t nodes);

/// The mirror of a broadcast on ring:4: reduces to node 0 in two rounds, then copies in two rounds, with one
/// packet per part; the packets of part 1 follow one round behind.
schedule::Plan mirror_allreduce(std::uint32_t parts);

}  // namespace isotrope::verify

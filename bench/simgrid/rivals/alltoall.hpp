// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Alltoall by direct messages and by Bruck's exchange.
//
//     linear     all messages at once, to ranks own + 1, own + 2, ..
//     pairwise   step k: to rank own + k, from rank own - k
//     bruck      step i: all blocks whose distance to go has bit i, to rank own + 2^i
//
// Source of bruck: Bruck et al. 1997.
#pragma once

#include "bench/simgrid/rivals/program.hpp"

namespace judge::rivals {

/// Layout::pairs.
Chain linear_alltoall(int ranks, int rank);

/// Layout::pairs.
Chain pairwise_alltoall(int ranks, int rank);

/// Layout::turned.
Chain bruck_alltoall(int ranks, int rank);

}  // namespace judge::rivals

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Ring and bucket: partial sums go round the rings of one axis after the other.
//
//     axis of extent p     p - 1 steps, in each a message to the next rank of the ring; then every rank has the sums
//                          of those blocks whose owners have the same coordinate on that axis
//
// The ring is the bucket on one axis, round a snake through all ranks.
// Sources: Patarasuk and Yuan 2009 (ring); Jain and Sabharwal 2010 (bucket).
#pragma once

#include "bench/simgrid/rivals/grid.hpp"
#include "bench/simgrid/rivals/program.hpp"

namespace judge::rivals {

/// The reduce-scatter. @param direction 1 or -1.
Chain bucket_reduce_scatter(const Grid& grid, int first_axis, int direction, int rank);

/// The same round one ring through all ranks.
Chain ring_reduce_scatter(const Grid& grid, int direction, int rank);

}  // namespace judge::rivals

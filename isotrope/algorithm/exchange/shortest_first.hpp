// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A task matrix cleared in the least number of rounds, short rows first.
//
// A row is done when its last entry is taken, and the sum of these times should be small. So every round prefers
// the rows with the least to go, as far as the number of rounds stays least:
//
//     critical    A row or column that sums to the number of rounds left must be served. Some round serves all
//                 of these at once and leaves a rest that fits the remaining rounds.
//     rows        First the critical rows, then the others by what they have left, are matched to columns by
//                 augmenting paths; a matched row stays matched. The sets of rows that can be matched form a
//                 matroid, so this set is the first in the order.
//     columns     A critical column that is still free takes the place of a column that is not critical, by an
//                 alternating path, which keeps the matched rows (Mendelsohn and Dulmage).
//
// Only the shortest rows take part in a round, a few times the number of columns; more rows join while a critical
// column is free. Ties are broken at random, by `seed`.
//
// Claim: as many rounds as the critical sum, the least. The sum of the times is small, not always the least.
// Cost: with C columns O(C * entries that take part) per round. Memory: 16 bytes per entry, 8 per cell.
// Source: the rules are those of Varvarigos and Bertsekas 1992, Section 6 (optimal completion time; optimal
// average delay), if both can be followed.
#pragma once

#include <cstdint>

#include "isotrope/algorithm/exchange/matrix_decomposition.hpp"

namespace isotrope::algorithm {

/// Rounds of at most one cell per row and column, as many as the critical sum; together they clear the matrix.
/// @pre every row is closed. @throws Error if the total sum exceeds most_cells.
Decomposition shortest_first(const TaskMatrix& matrix, std::uint32_t seed);

}  // namespace isotrope::algorithm

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A task matrix cleared in the least number of rounds, short rows first.
//
// A row is done when the last of its entries is taken, and the sum of these times is to be small. So every
// round prefers the rows that have least to go, as far as it can without a round more in the end:
//
//     critical    A row or column that sums to the number of rounds left must be taken from. Some round
//                 takes from all of these at once, and after it the rest fits the rounds that are left.
//     rows        First the critical rows, then the others by what they have left, are matched to columns by
//                 augmenting paths; a row once matched stays matched. The sets of rows that can be matched
//                 are a matroid, so no other of them is before this one in the order.
//     columns     A critical column that is still free takes a column's place that is not, by an alternating
//                 path, which leaves the rows as they are (Mendelsohn and Dulmage).
//
// Only the shortest rows, a few times the number of columns, take part in a round; more are let in as long as
// a critical column is free. Ties are broken at random, by `seed`.
//
// Claim: as many rounds as the critical sum, the least. The sum of the times is small, not always the least.
// Cost: with C columns O(C * the entries that take part) a round. Memory: 16 bytes an entry, 8 a cell.
// Source: the rules are those of Varvarigos and Bertsekas 1992, Section 6 (optimal completion time; optimal
// average delay), wherever both can be followed.
#pragma once

#include <cstdint>

#include "isotrope/algorithm/exchange/matrix_decomposition.hpp"

namespace isotrope::algorithm {

/// Rounds of at most one cell in a row and one in a column, as many as the critical sum; together they have
/// every entry as often as it says. @pre every row is closed. @throws Error where the total sum exceeds
/// most_cells.
Decomposition shortest_first(const TaskMatrix& matrix, std::uint32_t seed);

}  // namespace isotrope::algorithm

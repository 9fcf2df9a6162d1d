// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A task matrix (matrix_decomposition.hpp) cleared in a given number R of rounds, in which a column may be
// used any number of times, but as evenly over the rounds as can be: an equitable edge colouring of the
// bipartite multigraph of rows and columns, with rounds for colours.
//
//                  port 0  1                round 0         round 1         round 2
//     packet 0          2  1                (0,0) (1,1)     (0,0) (2,1)     (0,1) (1,0)
//     packet 1          1  1                (2,1)
//     packet 2          0  2                loads 1 2       1 1             1 1
//
// No row is used twice in a round. With C the largest sum of a column, round t has room for so many uses of
// any column: ceil(C/R) in the first C mod R rounds, floor(C/R) in the others, which add up to C.
//
//     greedy    Rows, the longest first, take for each column those of their free rounds with most room left.
//     repair    Where a column is used too often in round t, a row that uses it then exchanges what it has in
//               t and in a round s with room. If that overloads another column in t, a second row does the
//               same for that one, and so on: a trail of rows in the rounds t and s.
//
// Repairs give up after a number of trails. Then they begin again with room for ceil(C/R) in every round,
// where they always succeed: a column with more uses in t has a round s with room, and the trail uses no row
// twice. It goes on from a column only if that was used a times in t and b times in s with a >= b before the
// trail came, and each time it came by another of the b, so that there is another of the a to leave by. It
// ends, then, and the uses that find no room are one fewer.
//
// Claims: no column has more than ceil(C/R) uses in a round, so that the largest numbers of uses in all
// rounds add up to C + R - 1 at most; on nearly all matrices of the tests to C, the least. Cost: O(entries R)
// for the greedy start; for the repairs, in which rows are in lists by round and column, O(1) for a row that
// changes. Memory: 4 bytes a row and round, 8 more where repairs are needed.
// Source: D. de Werra, Equitable colorations of graphs, Revue francaise d'informatique et de recherche
// operationnelle 5, 1971: an equitable colouring exists for any number of colours.
#pragma once

#include <cstdint>

#include "isotrope/algorithm/exchange/matrix_decomposition.hpp"

namespace isotrope::algorithm {

/// `rounds` rounds, no two cells of one in a row, which together have every entry as often as it says.
/// @pre every row is closed and sums to `rounds` at most. @throws Error where rows times rounds exceed 2^31.
Decomposition equitable_rounds(const TaskMatrix& matrix, std::uint32_t rounds);

}  // namespace isotrope::algorithm

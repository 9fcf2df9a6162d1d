// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A task matrix (matrix_decomposition.hpp) cleared in a given number R of rounds, with the uses of every column
// spread evenly over the rounds: an equitable edge colouring of the bipartite multigraph of rows and columns, with
// rounds for colours.
//
//                  port 0  1                round 0         round 1         round 2
//     packet 0          2  1                (0,0) (1,1)     (0,0) (2,1)     (0,1) (1,0)
//     packet 1          1  1                (2,1)
//     packet 2          0  2                loads 1 2       1 1             1 1
//
// No row is used twice in a round. With C the largest sum of a column, round t has room for ceil(C/R) uses of any
// column if t < C mod R, and for floor(C/R) otherwise; the room of all rounds adds up to C.
//
//     greedy    Rows, the longest first, take for each column their free rounds with the most room left.
//     repair    If a column exceeds its room in round t, a row that uses the column then exchanges its columns in
//               t and in a round s with room. If the exchange overloads another column in t, a second row does
//               the same for that column, and so on: a trail of rows in the rounds t and s.
//
// Repairs give up after a number of trails and begin again with room for ceil(C/R) in every round. Now they always
// succeed: a column with more uses in t has a round s with room, and the trail uses no row twice. The trail goes
// on from a column only if the column had a uses in t and b uses in s with a >= b before; each time the trail comes
// by another of the b, and so can leave by another of the a. Hence the trail ends, and one use more has room.
//
// Claims: no column has more than ceil(C/R) uses in a round, so the largest numbers of uses in all rounds add up
// to at most C + R - 1, and on nearly all matrices of the tests to C, the least. Cost: O(entries R) for the
// greedy start, O(1) per row that a repair changes. Memory: 4 bytes per row and round, 8 more for repairs.
// Source: D. de Werra, Equitable colorations of graphs, Revue francaise d'informatique et de recherche
// operationnelle 5, 1971: an equitable colouring exists for any number of colours.
#pragma once

#include <cstdint>

#include "isotrope/algorithm/exchange/matrix_decomposition.hpp"

namespace isotrope::algorithm {

/// `rounds` rounds, each with at most one cell per row; together they clear the matrix.
/// @pre every row is closed and sums to at most `rounds`. @throws Error if rows times rounds exceed 2^31.
Decomposition equitable_rounds(const TaskMatrix& matrix, std::uint32_t rounds);

}  // namespace isotrope::algorithm

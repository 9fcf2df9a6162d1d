// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The assignment problem: n rows get n columns, one each, at the least sum of costs.
//
//     costs  4 1     row 0 gets column 1, row 1 gets column 0: sum 3
//            2 3
//
// Method: the rows come one after the other, each by a shortest path of exchanges. Prices of rows and columns keep
// all reduced costs cost - row - column at 0 or above, and at 0 for a row and its column, which proves the sum
// least. Cost: O(n^3). Source: H. W. Kuhn, The Hungarian method for the assignment problem, 1955, with shortest
// paths by J. Edmonds and R. M. Karp, 1972.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace isotrope::algorithm {

/// The column of every row. `costs` are row-major, finite and n * n of them.
std::vector<std::uint32_t> least_assignment(std::span<const double> costs, std::uint32_t n);

}  // namespace isotrope::algorithm

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A rank map of a given dilation d, by search: neighbours of the program are at most d apart on the machine. If d is 1 and the machine
// has as many links as the program, this is an isomorphism of graphs, so a torus whose nodes are numbered in any order is recognised.
//
// Method: backtracking. Nodes at most d apart are called near. Ranks are placed in an order in which each has as many neighbours
// before it as possible. A rank goes to a free node near the nodes of all of these, such that
//
//     no two ranks are more than d times as far apart on the machine as in the program, and
//     every node in use has as many free nodes near it as its rank has neighbours that wait.
//
// If all axes of the program are periodic, its graph looks the same from every rank: rank 0 is at node 0. So the search may
// exhaust all maps, which proves that there is none. Before the search, the numbers of neighbours and of near nodes are
// compared, and the two colours of bipartite graphs.
//
// Cost: O(N^2) for a search without dead ends; at most `budget` comparisons of distances.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "isotrope/graph/dilation.hpp"

namespace isotrope::graph {

/// Why no rank map has dilation `reach`, as degrees or colours show; nothing if they do not.
/// @pre both graphs are connected, with as many ranks as nodes
std::optional<std::string> obstacle(const network::SurvivingNetwork& program, const Distances& in_program,
                                    const Distances& in_machine, std::uint32_t reach);

struct NearPlacing {
  std::optional<network::RankMap> ranks = {};
  bool is_exhausted = false;  ///< without a map: there is none
};

/// @param looks_the_same whether some symmetry of the program moves rank 0 to every other rank
NearPlacing near_placing(const network::SurvivingNetwork& program, const Distances& in_program,
                         const Distances& in_machine, std::uint32_t reach, bool looks_the_same,
                         std::uint64_t budget);

}  // namespace isotrope::graph

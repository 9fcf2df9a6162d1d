// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A Hamiltonian cycle of a Cayley graph of an abelian group.
//
// Method: induction over the generators. Let a cycle of m nodes cover the subgroup H of the first generators, and let g
// be the next generator, with r cosets H, H + g, ..., H + (r-1)g in the larger subgroup. Row j of an r x m grid is the
// cycle moved by jg; rows are joined by g, and each row is closed: grid_cycle.hpp has its cycle.
//
// Claim: every connected Cayley graph of an abelian group with 3 nodes or more has a Hamiltonian cycle, and the method
// finds one. Cost: O(N), and memory for two lists of N nodes.
// Source of the claim: C. C. Chen and N. F. Quimpo, On strongly hamiltonian abelian group graphs, 1981.
#pragma once

#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::graph {

/// The nodes along a Hamiltonian cycle, from node 0 on. Of two nodes, the link there and back; of one, the node.
std::vector<network::Node> hamiltonian_cycle(const network::Network& network);

}  // namespace isotrope::graph

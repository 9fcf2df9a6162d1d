// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A Hamiltonian cycle of a Cayley graph of an abelian group, also with open axes and failed links.
//
// Method: induction over the generators. Let a cycle of m nodes cover the subgroup H of the first generators, and let g
// be the next generator, with r cosets H, H + g, ..., H + (r-1)g in the larger subgroup. Row j of an r x m grid is the
// cycle moved by jg; rows are joined by g, and each row is closed: grid_cycle.hpp has its cycle.
//
// With open axes, the generators that move along none of them cover a subgroup; its cycle is a closed axis, beside the open
// ones, of a product (product_walks.hpp). Translations along closed axes, reflections of open ones and other orders of axes or
// generators take the cycle off links that have failed.
//
// Claim: every connected Cayley graph of an abelian group with 3 nodes or more has a Hamiltonian cycle, and the method
// finds one; with open axes it finds one if the product has one. Cost: O(N), O(N links) with failed links, and memory for
// two lists of N nodes.
// Source of the claim: C. C. Chen and N. F. Quimpo, On strongly hamiltonian abelian group graphs, 1981.
#pragma once

#include <optional>
#include <vector>

#include "isotrope/network/failures.hpp"
#include "isotrope/network/network.hpp"

namespace isotrope::graph {

/// The nodes along a Hamiltonian cycle, from node 0 on. Of two nodes, the link there and back; of one, the node.
std::vector<network::Node> hamiltonian_cycle(const network::Network& network);

/// The same over links that are up; nothing if the method finds none, if nodes have failed, or if the network is a list of
/// edges. @pre the failed nodes, links and open axes are the network's.
std::optional<std::vector<network::Node>> hamiltonian_cycle(const network::Network& network,
                                                            const network::Failures& failures);

}  // namespace isotrope::graph

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of a finite abelian group, and how they divide, for divisions of plans by levels (level_plan.hpp).
//
// Programs by offsets (offset_program.hpp) have two symmetries: all nodes do the same, or those with an odd coordinate take the
// mirror image of what the others do. A part is what a node reaches by a program: seen from a node with an even coordinate, a
// subgroup, and with parity perhaps a coset of it among the odd elements. Such parts of all nodes are the components of a
// level. A subgroup of index r divides a part into r.
//
//     Z_8, no parity       by 2: {0 2 4 6}, partner 1
//     Z_8, by parity       by 2: {0 4, 1 5}, partner 3; {0 4, 3 7}, partner 1; {0 2 4 6}, partner 1
//     Z_9, no parity       by 3: {0 3 6}, partners 1 and 8
//
// Method: the homomorphisms of the subgroup to Z_r, by the images of its generators. Only r = 2 and 3: to divide by more
// takes more messages a step.
//
// Cost: O(N k) for each of at most r^k homomorphisms, k generators; only 2^8 are tried.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::algorithm {

struct GroupPart {
  std::optional<std::size_t> parity;   ///< the coordinate whose parity counts
  std::vector<network::Node> offsets;  ///< of a node with an even coordinate to all in its part, ascending
};

/// A part of a part, and the partners of a node with an even coordinate in the others; those of the rest are the negatives.
struct PartDivision {
  std::vector<network::Node> partners;
  GroupPart part;
  std::uint64_t hops = 0;  ///< to all offsets of the part
};

/// All nodes. @pre the coordinate, if any, has an even extent
GroupPart whole_group(const network::Network& network, std::optional<std::size_t> parity);

/// The divisions by 2 and 3, those with the nearest partners and offsets first. The partners are the nearest there are.
std::vector<PartDivision> divisions_of(const network::Network& network, const GroupPart& part);

}  // namespace isotrope::algorithm

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Even and odd nodes: the parity of a node is that of the sum of its coordinates with even moduli.
//
//     torus:4x4    (1,2) is odd, (1,3) even          torus:4x5    (1,2) and (1,3) are odd
//
// Claim: parity is a homomorphism. So translations by even nodes keep all parities; and half of the nodes are odd, or none if the
// order of the group is odd. Cost: O(N rank).
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/network/group.hpp"

namespace isotrope::network {

/// By node: 0 if it is even, 1 if it is odd.
std::vector<std::uint8_t> parities(const Group& group);

}  // namespace isotrope::network

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The generators of networks whose ports come in pairs: +s, -s for every step s in order, or one port if
// the two coincide.
//
//     steps 1, 5 of Z_13    ports +1, -1, +5, -5
//     steps 1, 4 of Z_8     ports +1, -1, 4
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "isotrope/network/group.hpp"

namespace isotrope::network {

/// The generators of `steps`, elements of `group`. `noun` names a step in messages ("torus:4x4: axis").
/// @throws Error if a step is 0, or equals an earlier step or its negative.
std::vector<Node> port_pairs(const Group& group, std::span<const Node> steps, std::string_view noun);

}  // namespace isotrope::network

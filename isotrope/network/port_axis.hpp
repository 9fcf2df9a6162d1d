// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The axis along which the links of a port lead: the one coordinate that the port changes.
//
//     torus:3x4      ports 0 and 1: axis 0      ports 2 and 3: axis 1
//     hexmesh:3      all ports: axis 0
//     cayley         a generator of (1, 1): along no axis
#pragma once

#include <cstdint>
#include <optional>

#include "isotrope/network/network.hpp"

namespace isotrope::network {

/// The axis of a port; nothing if it changes several coordinates. @pre port < network.degree(). Cost: O(rank).
std::optional<std::uint32_t> axis_of(const Network& network, Port port);

}  // namespace isotrope::network

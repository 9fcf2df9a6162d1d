// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The complete network K_N: every two nodes are joined. Z_N with all its elements but 0.
//
// Convention: port j of node v leads to v + j + 1.
#pragma once

#include "isotrope/network/network.hpp"

namespace isotrope::network {

/// The largest complete network, by the limits on ports and links.
inline constexpr Node largest_complete_order = 65536;

/// "complete:N".
/// @throws Error unless N is 1..65536.
Network complete(Node order);

/// Whether a network is complete:N but for its name and the order of its ports: all nodes of Z_N joined, each two once.
bool is_complete(const Network& network);

}  // namespace isotrope::network

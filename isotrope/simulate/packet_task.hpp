// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The packets that a problem routes online, and the policy by which it does unless the caller names one.
#pragma once

#include "isotrope/schedule/problem.hpp"

#include "isotrope/simulate/packet_simulator.hpp"

namespace isotrope::simulate {

/// @throws Error if packets of the collective have several destinations.
PacketTask packet_task(const schedule::Problem& problem);

/// Largest residual first; symmetric unless something is missing.
RoutingPolicy default_policy(const schedule::Problem& problem);

}  // namespace isotrope::simulate

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The machine of a part of a network (network/part.hpp), which has some of its axes, numbered anew.
//
//     torus:4x4xcomplete:4, a class of axis 2      a plane of 4x4: no class      4 places of a node: a class of axis 0
#pragma once

#include <cstdint>
#include <span>

#include "isotrope/cost/machine.hpp"

namespace isotrope::cost {

/// `whole` with link classes for a part whose axis i is axis `axes`[i] of the network.
Machine machine_of_part(const Machine& whole, std::span<const std::uint32_t> axes);

}  // namespace isotrope::cost

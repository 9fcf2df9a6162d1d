// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The matching bound, "work" in files: under half duplex every delivery occupies a sender and a receiver, so at
// most floor(N / 2) packets move in a round.
#pragma once

#include <cstdint>

#include "isotrope/schedule/problem.hpp"

namespace isotrope::bound {

using schedule::Problem;

/// The least number of packet transmissions over links, all nodes together; saturates at 2^64-1. 0, for not known,
/// for isotropic and task and around failures.
std::uint64_t least_transmissions(const Problem& problem);

}  // namespace isotrope::bound

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan as a picture of its network: all rounds together, every link in the colour of the round that uses it first, or
// one round with the packets on its links. Of a replicated plan only packets of origin 0 are shown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/io/network_picture.hpp"

namespace isotrope::io {

/// Of `round`, or of all. @throws Error if the plan has no such round.
NetworkPicture picture_of(const schedule::Plan& plan, std::string title,
                          std::optional<std::uint64_t> round = {});

}  // namespace isotrope::io

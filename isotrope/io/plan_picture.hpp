// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan as a picture of the network whose links its hops use (schedule::hop_network): all rounds together, every link
// in the colour of the round that uses it first, or one round with the packets on its links. Of a replicated plan only
// packets of origin 0 are shown.
//
// A total exchange is shown for all origins: all rounds together as the load of every link, one round as the packets of all
// origins.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/io/network_picture.hpp"

namespace isotrope::io {

/// Of `round`, or of all; a picture of hop_network(plan). @throws Error if the plan has no such round.
NetworkPicture picture_of(const schedule::Plan& plan, std::string title,
                          std::optional<std::uint64_t> round = {});

}  // namespace isotrope::io

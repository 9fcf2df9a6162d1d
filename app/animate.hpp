// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The motion of a plan, for a picture: every hop of every node, and how nodes fill up.
#pragma once

#include <optional>
#include <string>

#include "isotrope/io/network_picture.hpp"

#include "app/subject.hpp"

namespace isotrope::app {

/// A picture of the plan with all hops of all nodes in motion. The packets of the root, or of node 0, have a colour
/// of their own. A node fills up with the packets for it that arrive, or, if packets are copied or added, with those
/// that it receives.
/// @throws Error if `reason_not_animated` gives a reason.
io::NetworkPicture motion_picture(const Subject& subject);

/// Why the plan has no such picture: more than 20000 hops of all nodes together, messages to nodes that are no
/// neighbours; else nothing.
std::optional<std::string> reason_not_animated(const schedule::Plan& plan);

}  // namespace isotrope::app

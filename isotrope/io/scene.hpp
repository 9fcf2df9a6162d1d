// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the page of a plan draws, as JSON: the network in space and in the plane, and the hops of the plan.
//
//     {"nodes": 16, "moduli": [2, 2, 2, 2], "generators": [1, 2, 4, 8],     nodes and ports of the hops
//      "links": [0,0, 0,1, ...],                                            node and port, each link once
//      "solid": {"places": [x,y,z, ...], "bent": [link,kind,x,y,z, ...]},   kind 1: arc, 2: stub
//      "flat": {...},                                                       the same, or null if too large to draw
//      "stages": [{"flow": "move", "replication": "all", "axes": 0,
//                  "packets": [origin,to,part, ...],                        to: -1 for every node
//                  "rounds": [[packet,from,port, ...], ...]}], ...}
//
// Hops are those that the plan lists; the page translates them. Cost: O(hops + packets + links).
#pragma once

#include <cstdint>
#include <string>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/io/network_file.hpp"

namespace isotrope::io {

/// The limits of a page.
inline constexpr network::Node most_nodes_in_page = 65536;
inline constexpr std::uint64_t most_links_in_page = 1'000'000, most_hops_in_page = 2'000'000;

/// @throws Error for a plan above the limits.
void check_page_limits(const schedule::Plan& plan);

/// @throws Error as above.
std::string scene_of(const schedule::Plan& plan, const Coordinates& coordinates = {});

}  // namespace isotrope::io

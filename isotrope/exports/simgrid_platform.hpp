// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A network as a SimGrid platform: a file in version 4.1 of its XML, with all routes written out.
//
//     node 3                           <host id="n3" .../>
//     directed link from 0 to 1        <link id="l0_1" .../>
//     every ordered pair of nodes      <route src="n0" dst="n3"> l0_1 l1_3 </route>
//
// Routes are shortest paths, so chosen that a total exchange loads links evenly (evened_routes.hpp): messages
// that SimGrid sends directly then take no longer than on the best machine with fixed routes. Cost: O(N * sum
// of distances), in time and in the file, where these routes come out even at once.
#pragma once

#include <cstdint>
#include <string>

#include "isotrope/network/network.hpp"

namespace isotrope::exports {

/// The most hops that the routes of a platform may have together.
inline constexpr std::uint64_t most_route_hops = std::uint64_t{1} << 24;

struct SimgridLinks {
  double bytes_per_second = 1e9;  ///< of every directed link
  double latency_s = 1e-6;        ///< of every directed link
};

/// The platform file: hosts n0, n1, ... in order of nodes.
/// @throws Error if the routes between all nodes have more than most_route_hops hops, or a link has no
/// positive bandwidth or a negative latency.
std::string simgrid_platform(const network::Network& network, const SimgridLinks& links = {});

}  // namespace isotrope::exports

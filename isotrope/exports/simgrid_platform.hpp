// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A network as a SimGrid platform: a file in version 4.1 of its XML, with all routes written out.
//
//     node 3                           <host id="n3" .../>
//     directed link from 0 to 1        <link id="l0_1" .../>; of rate r, with r times the bandwidth
//     every ordered pair of nodes      <route src="n0" dst="n3"> l0_1 l1_3 </route>
//
// Routes are shortest paths that balance the link loads of a total exchange (evened_routes.hpp), so direct
// messages in SimGrid take no longer than on the best machine with fixed routes. With open axes or failures they are any
// shortest paths. Cost: O(N * sum of distances)
// in time and in the file, plus the rerouting of evened_routes.hpp.
#pragma once

#include <cstdint>
#include <string>

#include "isotrope/network/network.hpp"
#include "isotrope/network/surviving_network.hpp"

namespace isotrope::exports {

/// The most hops of all routes of a platform together.
inline constexpr std::uint64_t most_route_hops = std::uint64_t{1} << 24;

struct SimgridLinks {
  double bytes_per_second = 1e9;  ///< of every directed link of rate 1
  double latency_s = 1e-6;        ///< of every directed link
};

/// The platform file: hosts n0, n1, ... in order of nodes.
/// @throws Error if the routes have more than most_route_hops hops together, the bandwidth is not positive, or
/// the latency is negative.
std::string simgrid_platform(const network::Network& network, const SimgridLinks& links = {});
/// The same of what failures and open axes leave, without failed nodes; routes are shortest, whatever their loads.
/// @throws Error also if nodes cannot reach each other
std::string simgrid_platform(const network::SurvivingNetwork& network, const SimgridLinks& links = {});

}  // namespace isotrope::exports

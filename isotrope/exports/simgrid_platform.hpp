// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A network as a SimGrid platform: a file in version 4.1 of its XML, with all routes written out.
//
//     node 3                           <host id="n3" .../>
//     directed link from 0 to 1        <link id="l0_1" .../>; links side by side are one, of their bandwidth together
//     every ordered pair of nodes      <route src="n0" dst="n3"> l0_1 l1_3 </route>
//
// Routes are shortest paths that balance the link loads of a total exchange (evened_routes.hpp), so direct
// messages in SimGrid take no longer than on the best machine with fixed routes. With open axes or failures they are those of
// network/routes_left.hpp. Cost: O(N * sum of distances)
// in time and in the file, plus the rerouting of evened_routes.hpp.
#pragma once

#include <cstdint>
#include <string>

#include "isotrope/network/network.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/cost/link_times.hpp"
#include "isotrope/cost/machine.hpp"

namespace isotrope::exports {

/// The most hops of all routes of a platform together.
inline constexpr std::uint64_t most_route_hops = std::uint64_t{1} << 24;

/// The links of a network whose machine is not known: 1 us and 1 GB/s.
inline const cost::Machine default_links{.startup_s = 1e-6, .byte_time_s = 1e-9};

/// The platform file: hosts n0, n1, ... in order of nodes. Latency and bandwidth of a link are the start-up and the time per
/// byte that `machine` gives it, by link class; nothing else of the machine is in a platform.
/// @throws Error if the routes have more than most_route_hops hops together, or a link takes no time per byte.
std::string simgrid_platform(const network::Network& network, const cost::Machine& machine = default_links);
/// The same of what failures and open axes leave, without failed nodes.
/// @throws Error also if nodes cannot reach each other
std::string simgrid_platform(const network::SurvivingNetwork& network,
                             const cost::Machine& machine = default_links);

/// The bandwidth of a link in bytes per second. @throws Error if it takes no time per byte
double bandwidth_of(const cost::LinkTime& link);

}  // namespace isotrope::exports

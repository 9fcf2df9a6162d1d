// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets shared out among the ports that each may take, at the least possible largest load.
//
//     claims    3 packets over port 0 or 1         shares  0 3         loads  port 0  4
//               4 packets over port 0 or 2                 4 0                port 1  3
//               3 packets over port 2                      3                  port 2  3
//
// Method: every claim is poured over its ports up to a common level. Then, while there is a path of claims from a
// port of the largest load to a port with two packets less, packets move along the path to even out the two. In the
// end the ports in reach of one with the largest load m all carry m or m - 1, and none of their packets may go
// elsewhere: no sharing has a largest load below m.
// Cost: O(claims * ports) for the pouring and for each path. Source: N. Harvey, R. Ladner, L. Lovasz,
// T. Tamir, Semi-matchings for bipartite graphs and load balancing, Journal of Algorithms 59, 2006, by the
// packet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::algorithm {

/// Packets that may take the same ports.
struct PortClaim {
  std::vector<network::Port> ports;  ///< at least one, each once
  std::uint64_t packets = 0;
  std::vector<std::uint64_t> shares{};  ///< the result: the packets over each of `ports`
};

/// Sets the shares of all claims. @pre ports are below `degree`.
void share_out(std::span<PortClaim> claims, network::Port degree);

}  // namespace isotrope::algorithm

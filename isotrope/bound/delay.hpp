// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The least possible delays of an isotropic task, in rounds from its start until a packet is delivered.
//
// With N nodes of c ports there are N c places for hops in a round. A packet of distance i needs i of them,
// in as many rounds, so a packet is a job of i units, and the ports are machines that work on any job at any time.
// The sum of the times at which the jobs are done is least if the shortest go first, the k-th job on machine
// k mod c. All origins send the same, so c machines and the packets of one origin give the same mean:
//
//     hypercube:3    port 0    1 | 2 2 | 3 3 3     the packets are done after 1, 1, 1, 3, 3, 3 and 6 rounds:
//                    port 1    1 | 2 2 |           sum 18, mean 18 / 7. A schedule reaches both
//                    port 2    1 | 2 2 |           in 4 rounds (least_delay_exchange.hpp)
//
// Facts, for total exchange, n nodes: hypercubes of prime dimension d, sum n^2/4 + n d/4 - C(2d-1, d)/2 + (d-1)/2;
// rings, mean (n+1)(n+3)/24 for odd n and n(n+1)(n+2)/(24(n-1)) for even n; hexmesh:n, mean (2n-1)(n^2-n+3)/15.
// Cost: O(c * diameter), and O(destinations) for isotropic.
// Source: Varvarigos and Bertsekas 1992, Theorem 6 and its appendix; the formulas there are misprinted.
#pragma once

#include <cstdint>

#include "isotrope/schedule/problem.hpp"

namespace isotrope::bound {

using schedule::Problem;

struct DelayBound {
  std::uint64_t packets = 0;  ///< of one origin; a block for the origin itself does not count
  std::uint64_t sum = 0;      ///< no schedule has a smaller sum over them, on average; saturates at 2^63
  double mean = 0;            ///< the same for the mean delay of a packet; 0 without packets

  bool operator==(const DelayBound&) const = default;
};

/// For alltoall, neighborhood and isotropic, in strict rounds.
/// @pre nothing has failed; the destinations are nodes, with fewer than 2^32 packets in all.
/// @throws Error for other collectives, and for half duplex.
DelayBound delay_bound(const Problem& problem);

}  // namespace isotrope::bound

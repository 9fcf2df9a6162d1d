// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The weighted-distance bound, "port-sum" in files: how far all packets have to go when every port has a weight.
//
// Give each port g a weight w_g >= 0. A packet for v, wherever it starts, crosses links of total weight
// d_w(v) at least, the weighted distance; in one round a node sends on c ports, of total weight W_c at most,
// the sum of the c largest. Over T rounds and N nodes, therefore, for every choice of weights,
//
//     T >= sum of d_w(v) over the packets of one origin / W_c
//
//     circulant:13:1,2     weights 1, 1, 1, 1    distances sum to 24    24 / 4 -> 6
//                          weights 1, 1, 2, 2    weighted distances 42  42 / 6 -> 7, which is attained
//     torus:3x4            weights 0, 0, 1, 1    along the second axis 12    12 / 2 -> 6
//
// For a task that is not isotropic the sum is over the packets of all nodes, and over N W_c. With weights 1 on one
// dimension of a hypercube and 0 elsewhere, the bound is the first part of Theorem 1 of Varvarigos and Bertsekas
// 1992. Equal weights are the distance-sum bound. Choosing weights is the linear program dual to choosing routes,
// so the best weights lose nothing but the rounding to whole packets.
//
// Method: if as much goes to every node as to its opposite, a port and its opposite have the same weight, and on tori,
// where distances add up over the axes, one axis decides. Else, and elsewhere, the weights are corrected trial after
// trial: ports that carry more than the mean along shortest routes gain weight, the others lose weight, by less and
// less (multiplicative weights). Every trial rounds them to whole numbers up to 64; at last the same proportions are
// tried in smaller numbers, which usually hold the best. All in integers, so everyone finds the same weights. Cost:
// O(N degree) a trial, 2^22 steps or 464 trials in all; no search if N * degree exceeds 2^20.
// Source: for the weights S. Arora, E. Hazan, S. Kale, The multiplicative weights update method, Theory of
// Computing 8, 2012.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isotrope/schedule/isotropic_task.hpp"

namespace isotrope::bound {

using network::Network;
using network::Port;
using schedule::RelativeDestination;
using schedule::Task;

struct PortSum {
  std::vector<std::uint32_t> weights;  ///< one per port, not all 0
  std::uint64_t length;                ///< of a shortest route of every packet of one origin, by weight
  std::uint64_t capacity;              ///< W_c, the sum of the c largest weights

  /// The least number of rounds when every packet is cut into `parts`.
  std::uint64_t rounds(std::uint64_t parts) const;
};

/// The best weights found for alltoall, neighborhood or isotropic when a node sends on `c` >= 1 ports a round;
/// nothing if all ports are alike or there is no search. Cost: O(1) for alltoall on tori.
/// @pre order() > 1.
std::optional<PortSum> port_sum(const Network& network, const Task& task, Port c);

/// The same for listed destinations. @pre they are nodes, with fewer than 2^32 blocks in all.
std::optional<PortSum> port_sum(const Network& network, std::span<const RelativeDestination> destinations,
                                Port c);

}  // namespace isotrope::bound

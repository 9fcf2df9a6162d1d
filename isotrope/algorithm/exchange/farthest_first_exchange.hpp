// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Total exchange (alltoall) on every product of lines, rings and complete networks, all ports: meshes, tori,
// hypercubes, and what else product_axes.hpp knows.
//
//     classes    the packet from s to t has the class phi(s) + phi(t) + its part, modulo d axes, phi a weighted sum
//                over the axes
//     routes     class c corrects the axes c, c + 1, ..., c - 1 in this cyclic order, each by a shortest way
//     ties       half-way round an even ring: at the node where packets begin this axis, in order of classes and
//                packets, every other one goes forward
//     rounds     every link sends a packet with the most hops to go in all of those that wait for it, of these the last
//                that came; a link of rate r (network/rates.hpp) sends r of them
//
// Loads. In every row of an axis of p nodes and for all x != y, exactly N P / p packets go from x to y: for a packet of
// class c the source agrees with the row on the axes after that axis, in the order of c, and the destination on those
// before, so of every other axis one coordinate of the two is free, and the distribution of the classes over these
// choices does not depend on c. So the links of a line carry at most floor(p^2 / 4) N P / p packets, of a ring half as
// many, rounded up, and of a complete axis N P / p, each divided by the rate of the axis. Those are the cut bound at the
// middle of the axis, so no routes are better.
//
// Symmetry. The first nodes of orbits under all translations along closed axes and reflections of open ones of even extent
// (schedule/symmetries.hpp) send, and their images do the same. The loads above stay: phi takes the lower coordinate of a
// pair of mirror images, and along a closed axis the class counts the difference of coordinates, each once per source. Ties
// are even only if an even number of packets of a node has them, so schedules without symmetry follow if the target is
// missed.
//
// Claim: the bound on every product tried. For d = 1 it is proved: on a line, link
// j passes the packets for node k and beyond as if there were no others, in (j + 1) (p - k) P rounds. Either they never
// stop waiting for it, or, since they last did, at most one a round comes over link j - 1, which is done earlier.
// The weights are all 1, then 1, 2, 3, ..., then random, with axes and origins in random orders, until the rounds meet
// the target or the search is over.
// Cost: O(d N^2 P + hops). Memory: 12 bytes a packet and a hop, 4 bytes a directed link and hop of the diameter.
// Sources: the cyclic orders are those of dimension-ordered routing, W. J. Dally, C. L. Seitz 1987; farthest first is a
// rule of online routing on meshes, F. T. Leighton 1992.
#pragma once

#include <cstdint>
#include <span>

#include "isotrope/network/product_axes.hpp"

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/search_limits.hpp"

namespace isotrope::algorithm {

/// The hops of all packets along shortest ways; UINT64_MAX if nodes or hops are too many to count.
std::uint64_t exchange_hops(const network::Network& network, std::span<const network::ProductAxis> axes,
                            std::uint32_t parts);

/// Every block cut into `parts` >= 1: one stage, moved, symmetric with packets in orbits, or else with the packets of
/// packets_of(deliveries_of()). @pre `axes` are the product_axes of the network. @throws Error if there are 2^32 hops
/// or more.
schedule::Schedule farthest_first_exchange(const network::Network& network,
                                           std::span<const network::ProductAxis> axes, std::uint32_t parts,
                                           const SearchLimits& limits);

}  // namespace isotrope::algorithm

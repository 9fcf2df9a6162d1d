// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The times of a machine with several ranks a node, on the network of their places (network/node_places.hpp).
//
//     torus:4x4, 4 ranks a node     axes 0, 1: the times of a link, which 4 lanes share
//                                   axis 2:    the times of the memory of a node
//
// The ranks of a node share each of its links: the messages of all lanes of a link in a round are sent together, one start-up and the time of
// all their bytes, and one lane alone has the whole bandwidth. If a node uses few ports at once, its ranks share these as well. Times are
// those of whole links; a link of rate r stays r times as fast as one of rate 1. If links are listed, times are those of each of the r.
#pragma once

#include <cstdint>

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/collective.hpp"

#include "isotrope/cost/link_times.hpp"

namespace isotrope::cost {

/// The memory of a node of which nothing is known: messages of 1 us and 0.3 ns a byte, as between ranks of one host.
inline constexpr LinkTime memory_of_host{1e-6, 3e-10};

/// `links`, the machine of the nodes, for `places`, the network of `ranks_per_node` ranks in each; `links` itself if it is 1.
/// @throws Error if `places` is no such network, a link class names its last axis, the classes are too many, or links are listed and have classes
Machine machine_of_places(const Machine& links, const LinkTime& memory, std::uint32_t ranks_per_node,
                          const network::NamedNetwork& places);

/// The bytes of the nodes' problem for each byte of that of `places` ranks a node, as MPI counts both: what the ranks of a node send
/// to one place, or to one node, together.
double bytes_of_node(schedule::Collective collective, std::uint32_t places);

/// The machine for what knows nothing of lanes: every lane of a link has its share of the bandwidth, as if all were in use.
Machine with_even_shares(const Machine& of_places);

/// The machine of `nodes` alone: the links without the memory. The machine itself if its lanes are 1.
Machine machine_of_nodes(const Machine& of_places, const network::NamedNetwork& nodes);

}  // namespace isotrope::cost

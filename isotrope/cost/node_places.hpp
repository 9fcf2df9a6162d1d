// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The times of a machine with several ranks a node, on the network of their places (network/node_places.hpp).
//
//     torus:4x4, 4 ranks a node     axes 0, 1: the start-up of a link, and 4 times its time per byte
//                                   axis 2:    the times of the memory of a node
//
// The ranks of a node share each of its links: lane k of a link has a share of the bandwidth. So what is faster in lanes
// than in one of them is the start-ups, and what is counted on the lanes together is what the link carries. Times are those of whole
// links; a link of rate r stays r times as fast as one of rate 1.
#pragma once

#include <cstdint>

#include "isotrope/network/parse.hpp"

#include "isotrope/cost/link_times.hpp"

namespace isotrope::cost {

/// The memory of a node of which nothing is known: messages of 1 us and 0.3 ns a byte, as between ranks of one host.
inline constexpr LinkTime memory_of_host{1e-6, 3e-10};

/// `links`, the machine of the nodes, for `places`, the network of `ranks_per_node` ranks in each; `links` itself if it is 1.
/// @throws Error if `places` is no such network, a link class names its last axis, the classes are too many, or links are listed
Machine machine_of_places(const Machine& links, const LinkTime& memory, std::uint32_t ranks_per_node,
                          const network::NamedNetwork& places);

}  // namespace isotrope::cost

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The choice of the next packet at a node, for packets routed online, without a plan.
//
//     random                any packet, each equally likely
//     oldest                the packet that came to the node first
//     nearest               the packet with the fewest hops to go (the directive for average delay)
//     farthest              the packet whose origin and destination are farthest apart
//     largest-residual      the packet with the most hops to go
//
// Ties are broken at random; `oldest` does so only at the start, later ties go in the order of sending, which
// changes from round to round. A packet takes a random one of the free ports that bring it nearer to its
// destination.
//
// Each order serves in two ways. A symmetric policy, with "symmetric-" before the name, decides once for the
// packets in relative addresses, and every node does the same. Otherwise every node decides on its own.
// Source: Varvarigos and Bertsekas 1992, Sections 3, 5 and 6.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace isotrope::simulate {

struct RoutingPolicy {
  enum class Order : std::uint8_t { random, oldest, nearest, farthest, largest_residual };

  Order order = Order::random;
  bool symmetric = false;

  bool operator==(const RoutingPolicy&) const = default;
};

/// "random", "symmetric-largest-residual", ...
std::string to_string(RoutingPolicy policy);

/// The inverse of to_string. @throws Error for any other name, with the nearest ones.
RoutingPolicy parse_routing_policy(std::string_view text);

}  // namespace isotrope::simulate

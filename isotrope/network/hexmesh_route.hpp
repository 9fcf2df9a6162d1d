// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Routing on the C-wrapped hexagonal mesh (algorithm A1): from two addresses, in constant time, how many hops
// a shortest path makes along x, y and z.
//
// Convention: addresses and ports are those of hexmesh.hpp, +x = 1, +y = -(3n-2), +z = -(3n-1) modulo p. A
// record counts hops along +x, +y and +z; negative ones lead the other way. On hexmesh:4 from 11 to 5, 31
// hops ahead along +x, the record is (0, -2, -1), and any order of its hops is a shortest path:
//
//     11 --(-y)--> 21 --(-y)--> 31 --(-z)--> 5
//
// Method: with k = (to - from) mod p, the nodes k < n and k > p - n lie in the row of the sender. The others form n-1
// groups of 3n-2 addresses in order; group r joins a row above the sender to one below it, and the place t within the
// group says which row it is, from which end of the row the destination is best reached, and how.
//
// Facts: at most two of the three counts are not 0; the record of a node is the only one as short, so the
// |x|+|y|+|z| over |x|, |y|, |z| orders of its hops are all shortest paths.
// Cost: a few nanoseconds, without a division.
// Source: M.-S. Chen, K. G. Shin, D. D. Kandlur, Addressing, routing, and broadcasting in hexagonal mesh
// multiprocessors, IEEE Trans. Computers 39(1), 1990, Section IV-B, algorithm A1 (its "m_v" is m_y) and the
// routing functions.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "isotrope/network/divisor.hpp"
#include "isotrope/network/network.hpp"

namespace isotrope::network {

/// The hops still to make along +x, +y and +z.
struct RoutingRecord {
  std::int32_t x = 0;
  std::int32_t y = 0;
  std::int32_t z = 0;

  std::uint32_t hops() const { return static_cast<std::uint32_t>(std::abs(x) + std::abs(y) + std::abs(z)); }
  bool arrived() const { return x == 0 && y == 0 && z == 0; }
  /// In how many orders its hops can be made, the number of shortest paths; in decimal. Cost: O(hops^2) at worst.
  std::string paths() const;

  bool operator==(const RoutingRecord&) const = default;
};

/// A message under way: its node, and the hops that are left.
struct RoutedMessage {
  Node at = 0;
  RoutingRecord record;

  bool operator==(const RoutedMessage&) const = default;
};

class HexmeshRouting {
 public:
  /// @throws Error unless the size is 2..4730, as hexmesh has it.
  explicit HexmeshRouting(std::uint32_t size);

  /// The number of nodes, p.
  Node order() const { return group_.order(); }

  /// The record of the shortest paths between two nodes. @pre both are below order().
  RoutingRecord record(Node from, Node to) const { return record(group_.subtract(to, from)); }
  /// The same by the relative address of the destination.
  RoutingRecord record(Node relative) const {
    const auto k = static_cast<std::int32_t>(relative);
    if (k < n_) return {k, 0, 0};
    if (k > p_ - n_) return {k - p_, 0, 0};
    const auto place = static_cast<std::uint32_t>(k - n_);
    const auto r = static_cast<std::int32_t>(group_length_.quotient(place));
    const std::int32_t t = k - n_ - r * (3 * n_ - 2);
    if (t <= n_ + r - 1) {  // below the sender
      if (t <= r) return {t - r, 0, n_ - r - 1};
      if (t >= n_ - 1) return {t - n_ + 1, n_ - r - 1, 0};
      return {0, t - r, n_ - t - 1};
    }
    if (t <= 2 * n_ - 2) return {t + 2 - 2 * n_, -r - 1, 0};
    if (t >= 2 * n_ + r - 1) return {t - 2 * n_ - r + 1, 0, -r - 1};
    return {0, t + 1 - 2 * n_ - r, 2 * n_ - t - 2};
  }

  /// The lowest port that reduces the record. @pre it has not arrived.
  static Port next_port(const RoutingRecord& record) {
    if (record.x != 0) return record.x > 0 ? 0 : 1;
    if (record.y != 0) return record.y > 0 ? 2 : 3;
    return record.z > 0 ? 4 : 5;
  }

  /// The message after a hop over `port`, address and record brought up to date (the routing functions).
  /// @pre port < 6.
  RoutedMessage hop(RoutedMessage message, Port port) const {
    message.at = group_.add(message.at, steps_[port]);
    std::int32_t& left = port < 2 ? message.record.x : (port < 4 ? message.record.y : message.record.z);
    left += port % 2 == 0 ? -1 : 1;
    return message;
  }

 private:
  CyclicGroup group_;
  std::int32_t n_;
  std::int32_t p_;
  Divisor group_length_;
  std::array<Node, 6> steps_;
};

/// The labels of a node along x, y and z: how many hops along +x, +y or +z alone lead there from node 0, each
/// 0..p-1; the first is the node itself (Section III, Theorem 1). @pre the size is 2..4730, node is below p.
std::array<Node, 3> hexmesh_labels(std::uint32_t size, Node node);

/// The size of the hexagonal mesh that a network is, whatever its name: the same group, generators and port
/// order as hexmesh(n). Nothing for other networks.
std::optional<std::uint32_t> hexmesh_size(const Network& network);

}  // namespace isotrope::network

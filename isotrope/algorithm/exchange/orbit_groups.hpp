// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Groups of packets of one length that use every port once in every round until all arrive together.
//
// A turn of the network, applied repeatedly, moves a packet round an orbit of packets of equal distance. Number
// the ports by their places in the cycle of the turn (port_cycle.hpp), 0..D-1:
//
//     D packets     The first packet goes by the ports at places p_0, p_1, ..., the others by the same places
//                   shifted by 1, 2, ...
//     q = D / m     If the route repeats after q places, m such orbits of equal length go together. With
//                   p_0, p_1, ... < q the first places of orbit c, its packet i is in round a m + s at place
//
//                       (p_a + i) mod q + q ((c + s) mod m)
//
//                   These are all D places for i < q and c < m. The case above is m = 1.
//
//     hypercube:4    q = 4    0001 0010 0100 1000    0011 0110 1100 1001    0111 1110 1101 1011
//                    q = 2    0101 1010 and q = 1    1111 have no partners
//
// The other packets are the rest: orbits without enough of their kind, and orbits whose route does not repeat
// because a packet half-way round an axis goes one way.
//
// Cost: O(N), and the routes of one packet per orbit. Source: Varvarigos and Bertsekas 1992, Sections 6 and 8,
// for m = 1.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/schedule/isotropic_task.hpp"
#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/exchange/matrix_decomposition.hpp"
#include "isotrope/algorithm/exchange/port_cycle.hpp"

namespace isotrope::algorithm {

/// The number of a packet of origin 0, and its relative destination.
struct NumberedPacket {
  schedule::PacketId packet;
  network::Node to;
};

class OrbitGroups {
 public:
  /// Groups of the packets to `destinations`, one per block, numbered in order from `first`.
  /// @pre the destinations are nodes, each once, with fewer than 2^32 blocks in all.
  OrbitGroups(const network::Network& network, PortCycle cycle,
              std::span<const schedule::RelativeDestination> destinations, schedule::PacketId first);

  /// The number of groups.
  std::size_t size() const { return groups_.size(); }
  /// The rounds of group `g`, 0..size()-1, equal to the hops of each of its packets; ascending.
  std::uint32_t length(std::size_t g) const { return groups_[g].length; }
  /// The packets without a group.
  const std::vector<NumberedPacket>& rest() const { return rest_; }
  /// The packets of group `g`, as many as there are ports.
  std::vector<NumberedPacket> packets(std::size_t g) const;

  /// Closes length(g) rounds with the hops of group `g`.
  void add_rounds(std::size_t g, schedule::Rounds& rounds) const;

 private:
  // One packet to each node of an orbit.
  struct Orbit {
    network::Node start;
    std::uint32_t size;
    std::uint32_t route;  // of the packet to `start`, a row of routes_
    std::uint32_t copy;   // a number among the packets to the same node
  };
  // Consecutive orbits of orbits_, of one length and size, with as many packets as there are ports.
  struct OrbitGroup {
    std::uint64_t begin;
    std::uint32_t length;
  };

  void find_orbits(std::span<const schedule::RelativeDestination> destinations);
  void form_groups();
  std::span<const Orbit> orbits(std::size_t g) const;
  void append_packets(const Orbit& orbit, std::vector<NumberedPacket>& packets) const;
  std::vector<std::uint32_t> places(const Orbit& orbit) const;
  bool repeats(std::span<const std::uint32_t> places, std::uint32_t period) const;

  network::Network network_;
  PortCycle cycle_;
  std::vector<schedule::PacketId> first_packet_;  // by node
  std::vector<std::uint32_t> place_of_;           // by port: its place in the cycle
  TaskMatrix routes_;
  std::vector<Orbit> orbits_;
  std::vector<OrbitGroup> groups_;
  std::vector<NumberedPacket> rest_;
};

}  // namespace isotrope::algorithm

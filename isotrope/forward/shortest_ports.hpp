// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The neighbours of one node that are closer to each other node, on any network: the choice of adaptive minimal routing.
//
// Lanes are the different neighbours of the node, in the order of its ports; links side by side are one lane. A unit of data
// has an order: a port and a sense. It prefers the first lane that leads closer, from that port on, in that sense around
// the ports. On a torus this is a rotation of the axes: a unit crosses one axis after the other. All orders together use
// every axis first equally often, and go both ways around a ring equally often to the node opposite.
//
//     torus:4x4, from (0,0) to (1,2)      lanes 0 (axis 0 up), 2 and 3 (axis 1, both ways) lead closer
//     port 0, ascending: lane 0           port 1, ascending: 2        port 1, descending: 0
//
// So traffic that is the same at all nodes loads all links alike.
//
// Cost: on a symmetric network N * degree distances, else a search per lane; 2 bytes per lane that leads closer, 16 a node.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/surviving_network.hpp"

namespace isotrope::forward {

using network::Node;
using network::Port;

class ShortestPorts {
 public:
  using Lane = std::uint16_t;

  /// Of `node`. @pre the nodes that are left can reach each other, and `node` is among them.
  ShortestPorts(const network::SurvivingNetwork& network, Node node);

  Node node() const { return node_; }
  /// Of the whole network.
  Node nodes() const { return static_cast<Node>(distances_.size()); }
  std::size_t lanes() const { return neighbours_.size(); }
  Node neighbour(std::size_t lane) const { return neighbours_[lane]; }
  /// How many links the lane has.
  std::uint32_t links(std::size_t lane) const { return links_[lane]; }
  /// The lane of a port that carries.
  Lane lane_of(Port port) const;
  /// The lanes that lead closer to `destination`, ascending; none for the node itself.
  std::span<const Lane> towards(Node destination) const {
    return std::span(closer_).subspan(first_[destination], first_[destination + 1] - first_[destination]);
  }
  std::uint32_t distance(Node destination) const { return distances_[destination]; }
  /// How many orders units of this node may have: two for every port that carries.
  std::uint32_t orders() const { return 2 * static_cast<std::uint32_t>(ports_.size()); }
  /// The order in place `place` < orders(): twice its port, and 1 more if it is descending.
  std::uint32_t order(std::uint32_t place) const { return 2 * ports_[place / 2].port + place % 2; }
  /// The lane that a unit of that order prefers, which may come from any node. @pre destination != node()
  Lane preferred(Node destination, std::uint32_t order) const;

 private:
  struct LaneOfPort {
    Port port;
    Lane lane;
  };

  Node node_;
  std::vector<LaneOfPort> ports_;  // ascending
  std::vector<Node> neighbours_;
  std::vector<std::uint32_t> links_;
  std::vector<std::uint32_t> distances_;  // by destination
  std::vector<std::uint64_t> first_;      // by destination: its lanes begin here in closer_
  std::vector<Lane> closer_;
};

/// Between two different nodes that are joined.
struct Distances {
  std::uint32_t largest = 0;
  double mean = 1;
};
/// All nodes get the same. Of more than 2,048 nodes without symmetry, the largest is an upper bound of up to twice as much, and the
/// mean is that of the first node. Cost: without symmetry a search per node, or one search.
Distances distances_of(const network::SurvivingNetwork& network);

}  // namespace isotrope::forward

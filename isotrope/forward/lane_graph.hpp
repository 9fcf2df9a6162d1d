// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The lanes of a whole network: one directed edge for every node and each of its different neighbours; links side by side are
// one lane. All nodes number them alike: by node, and at a node in the order of its ports, as shortest_ports.hpp does.
//
// Cost: 16 bytes a lane.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/surviving_network.hpp"

namespace isotrope::forward {

using network::Node;

/// A neighbour of a node, and how many links lead there.
struct Neighbour {
  Node node = 0;
  std::uint32_t links = 0;
};

/// The different neighbours of a node, in the order of the first port to each.
std::vector<Neighbour> neighbours_of(const network::SurvivingNetwork& network, Node node);

class LaneGraph {
 public:
  struct Lane {
    Node from = 0, to = 0;
    std::uint32_t links = 0;
  };

  explicit LaneGraph(const network::SurvivingNetwork& network);

  Node nodes() const { return static_cast<Node>(first_.size() - 1); }
  const std::vector<Lane>& lanes() const { return lanes_; }
  /// The number of the first lane out of a node; the others follow.
  std::uint32_t first(Node node) const { return first_[node]; }
  /// The numbers of the lanes out of a node are first(node) .. first(node + 1) - 1.
  std::span<const Lane> out(Node node) const {
    return std::span(lanes_).subspan(first_[node], first_[node + 1] - first_[node]);
  }
  /// The numbers of the lanes into a node.
  std::span<const std::uint32_t> in(Node node) const {
    return std::span(in_).subspan(first_in_[node], first_in_[node + 1] - first_in_[node]);
  }
  /// The links out of a node.
  std::uint64_t links(Node node) const;

 private:
  std::vector<Lane> lanes_;           // by node they leave
  std::vector<std::uint32_t> first_;  // by node
  std::vector<std::uint32_t> in_;     // by node they enter
  std::vector<std::uint32_t> first_in_;
};

}  // namespace isotrope::forward

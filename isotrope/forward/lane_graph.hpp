// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The lanes of a whole network: one directed edge for every node and each of its different neighbours; links side by side are
// one lane. All nodes number them alike: by node, and at a node in the order of its ports, as shortest_ports.hpp does.
//
// Convention: the width of a lane is how many links of the machine's own time per byte are as fast. So bytes / width are bytes of such a
// link, and a lane of a slow axis is narrow.
// Cost: 24 bytes a lane.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/cost/link_times.hpp"

namespace isotrope::forward {

using network::Node;

/// A neighbour of a node, and how many links lead there.
struct Neighbour {
  Node node = 0;
  std::uint32_t links = 0;
};

/// The different neighbours of a node, in the order of the first port to each.
std::vector<Neighbour> neighbours_of(const network::SurvivingNetwork& network, Node node);

/// The widths of the lanes out of a node, in the same order. @param times of the links of `network` on `machine`
std::vector<double> widths_of(const network::SurvivingNetwork& network, const cost::LinkTimes& times,
                              const cost::Machine& machine, Node node);

class LaneGraph {
 public:
  struct Lane {
    Node from = 0, to = 0;
    std::uint32_t links = 0;
    double width = 0;
  };

  /// All links have one time: the width of a lane is the number of its links.
  explicit LaneGraph(const network::SurvivingNetwork& network);
  LaneGraph(const network::SurvivingNetwork& network, const cost::Machine& machine);

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
  /// Of all lanes out of a node together.
  double width(Node node) const;
  /// Of the widest lane; 0 if there is none.
  double widest() const;

 private:
  std::vector<Lane> lanes_;           // by node they leave
  std::vector<std::uint32_t> first_;  // by node
  std::vector<std::uint32_t> in_;     // by node they enter
  std::vector<std::uint32_t> first_in_;
};

}  // namespace isotrope::forward

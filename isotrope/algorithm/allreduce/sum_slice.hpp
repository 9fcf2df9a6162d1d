// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// An allreduce of one slice of the vector, hop by hop, and the schedule of many slices that are its images under symmetries of the
// network.
//
//     slice      node 4 sends the sum of its values 0 and 2 over port 1     its receiver numbers the sum
//     image      v -> a(v) + x, a an automorphism of the network that keeps node 0
//
// A node adds the values `own` at the end. Equal sums of a slice are listed once.
//
// Cost: O(hops) an image.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

class SumSlice {
 public:
  using Node = network::Node;
  using Values = std::vector<schedule::ValueId>;

  /// Every node has its own contribution. The network must outlive this.
  explicit SumSlice(const network::Network& network)
      : own(network.order(), {0}), network_(network), received_(network.order(), 0) {}

  /// In the round under construction `from` sends the sum of `values`, ascending, over `port`. Returns the number of the sum at
  /// its receiver.
  schedule::ValueId send(Node from, network::Port port, const Values& values);
  void close_round() { rounds_.push_back(std::exchange(round_, {})); }

  std::vector<Values> own;  ///< by node, the values whose sum it has, ascending

 private:
  friend class SliceStage;

  const network::Network& network_;
  std::vector<schedule::ValueId> received_;  // how many values, by node
  std::map<Values, schedule::PacketId> sums_;
  std::vector<schedule::Hop> round_;
  std::vector<std::vector<schedule::Hop>> rounds_;
};

/// An automorphism of a network that keeps node 0: the images of its nodes and ports.
struct NetworkImage {
  std::vector<network::Node> nodes;
  std::vector<network::Port> ports;

  /// Of the automorphism with these images of nodes. @pre no two ports have the same generator
  NetworkImage(const network::Network& network, std::vector<network::Node> images_of_nodes);
  static NetworkImage identity(const network::Network& network);
  /// v -> -v
  static NetworkImage negation(const network::Network& network);
};

class SliceStage {
 public:
  /// Of slices of so many rounds. The network must outlive this.
  SliceStage(const network::Network& network, std::uint64_t rounds) : network_(network), rounds_(rounds) {}

  /// The next part of the vector is the image of `slice`, moved by `offset`.
  void add(const SumSlice& slice, const NetworkImage& image, network::Node offset);
  /// All ports, aggregated messages.
  schedule::Schedule finish();

 private:
  const network::Network& network_;
  std::vector<std::vector<schedule::Hop>> rounds_;
  schedule::Stage stage_{schedule::Flow::exchange, schedule::Replication::none(), {}, {}};
  std::uint32_t parts_ = 0;
};

}  // namespace isotrope::algorithm

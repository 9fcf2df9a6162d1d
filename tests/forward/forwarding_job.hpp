// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// All nodes of an exchange in one process. In a step every lane carries at most one message; all messages of a step arrive
// at its end. The hops of all units are recorded as a plan of the collective `task` that the checker can verify.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "isotrope/network/parse.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/plan.hpp"

#include "isotrope/forward/forwarder.hpp"

namespace isotrope::forward {

/// Byte number `place` of the block from `from` to `to`.
std::byte byte_of(Node from, Node to, std::uint64_t place);

class ForwardingJob {
 public:
  /// bytes[i][j]: of the block from i to j.
  ForwardingJob(const network::NamedNetwork& network, std::vector<std::vector<std::uint64_t>> bytes);
  /// The same, by routes that are balanced in `rounds` rounds.
  ForwardingJob(const network::NamedNetwork& network, std::vector<std::vector<std::uint64_t>> bytes,
                std::uint32_t rounds);
  enum class Form : std::uint8_t { exchange, allgather, reduce_scatter };
  /// An allgather, or a reduce-scatter of sums of bytes modulo 256, of blocks of such sizes.
  ForwardingJob(const network::NamedNetwork& network, Form form, const std::vector<std::uint64_t>& bytes);

  /// Runs to the end. @returns whether it ends within `most_steps` and every block came as it was sent, once
  bool run(std::uint64_t most_steps = 100000);

  std::uint64_t steps() const { return steps_; }
  /// Messages that carried no unit.
  std::uint64_t empty_messages() const { return empty_messages_; }
  /// Bytes of blocks over each lane of a node.
  const std::vector<std::uint64_t>& lane_bytes(Node node) const { return nodes_[node].lane_bytes; }
  std::uint64_t largest_lane_bytes() const;
  /// Whether every node knows the extremes of all. @pre run, of an exchange
  bool knows_extremes() const;
  /// Of balanced routes: the busiest link by the agreement of node 0 after the demand, after each round and at
  /// the end, and the bound.
  const std::vector<double>& busiest() const { return busiest_; }
  double bound() const { return bound_; }
  /// The hops of an exchange, one packet a unit. @pre run
  schedule::Plan plan() const;

 private:
  struct NodeState {
    std::optional<ShortestPorts> ports;
    std::optional<SpreadTrees> trees;  // of an allgather
    std::optional<Forwarder> forwarder;
    std::vector<std::vector<std::byte>> sent, received;  // by destination, by origin
    std::vector<std::uint64_t> received_bytes;           // by origin
    std::vector<std::uint64_t> lane_bytes;
  };
  struct InFlight {
    Node to;
    std::size_t lane;
    Message message;
    std::uint64_t bytes;
  };

  void make_nodes();
  void add_blocks(Node node, const std::vector<std::uint64_t>& bytes);
  std::deque<BalancedRoutes> balanced(const std::vector<std::vector<std::uint64_t>>& bytes,
                                      std::uint32_t rounds);
  void fill(Node node, Node to, std::uint64_t bytes);
  void deliver(Node node, const Unit& unit, const std::byte* bytes);
  void send(Node node, std::size_t lane, std::vector<InFlight>& sent);
  void record(Node node, std::size_t lane, const Message& message);
  bool has_all() const;
  std::byte expected(Node node, Node from, std::uint64_t place) const;

  network::NamedNetwork network_;
  network::SurvivingNetwork survivors_;
  Form form_ = Form::exchange;
  std::deque<NodeState> nodes_;
  std::optional<LaneGraph> graph_;  // of balanced routes
  std::vector<double> busiest_;
  double bound_ = 0;
  std::uint64_t steps_ = 0, empty_messages_ = 0;
  schedule::Stage stage_ = {};
  std::vector<Unit> units_;  // by packet
};

}  // namespace isotrope::forward

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets routed online: no plan, only a rule by which nodes choose among the waiting packets.
//
// Time is discrete. In a round a directed link carries one packet, and a packet takes one hop, always to a node
// nearer to its destination. All packets are at their origins before round 0, and a packet that arrives in round t
// can leave in round t + 1. The ports that serve a packet depend on its relative destination alone, around failures, on open
// axes and on listed edges also on the node:
//
//     at node a, to b      relative r = b - a      ports with distance(a + g, b) = distance(a, b) - 1
//     after a hop over g   relative r - g
//
// With hop times, links take as long as each of them does instead of a round: a link that is free takes a packet at once, and the
// packet can leave the next node when all of it is there. A port is in use from the start of a packet to its end. Links that are all
// alike give the same run as rounds, from the same seed. Times are whole picoseconds, so that what ends together is seen to.
//
// Every choice is non-wasting: if a packet stays, every port that would bring it nearer is in use by another packet.
// (With k ports: in use, or its node sends k already, or the next node receives k.) A node asks its packets in the
// order of the policy (routing_policy.hpp), and each takes a free port.
//
// Under a symmetric policy all nodes do the same in relative addresses, so the packets of one origin stand for all:
// a packet sent over a port is replaced by the one from the opposite side. Its rounds obey
//
//     rounds <= h_r + h_c - 1      h_r hops of the farthest packet, h_c packets over the busiest port
//
// because while a packet waits for a port that it will use, either the packet moves or the port is in use. That holds
// on every network here (in a commutative group a port that a packet will use can serve it at once) and gives
// N/2 + d - 1 for the total exchange on a hypercube. If packets have a choice of routes, h_c depends on the run: on
// torus:4x4 some runs take 12 rounds, while balanced columns would give 11. Policies by which every node decides on
// its own obey no such bound: on hypercube:3, with bound 6, some runs take 7 and 8. All that is tested.
//
// Cost: 1.2 to 3.5 packets asked per hop of a total exchange; O(N) per round. Memory: 4 to 8 bytes per packet (more
// with nearest and largest-residual, as every priority keeps the room it once needed), 12 per node for paths and,
// unless symmetric, 40 per node, 24 to 32 per node and priority (one for random and oldest, else as many as the
// farthest packet has hops), and 12 per directed link.
// Source: Varvarigos and Bertsekas 1992, Sections 5 and 8.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "isotrope/base/huge_pages.hpp"

#include "isotrope/network/network.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/delivery.hpp"
#include "isotrope/schedule/isotropic_task.hpp"
#include "isotrope/schedule/port_model.hpp"

#include "isotrope/simulate/routing_policy.hpp"

namespace isotrope::simulate {

using network::Network;
using network::Node;
using network::Port;

/// The most ports of a node that have links.
inline constexpr Port most_ports = 64;
/// The most nodes of a network in which something is missing.
inline constexpr Node most_nodes_without_symmetry = 4096;

/// The ports that bring a packet nearer to its destination, by node a and relative destination r:
///
///     bit j of ports(a, r)     the j-th port of a that has a link, g: distance(a + g, a + r) = distance(a, a + r) - 1
///
/// If nothing is missing, one table serves all nodes by translation; in a commutative group a port then stays in the mask
/// until the packet has used the port or has gone a way that rules it out. Cost: N * degree distances, once, and N times
/// that without symmetry. Memory: 12 bytes per node, or per pair of nodes.
class ShortestPaths {
 public:
  /// @throws Error if a node has more than most_ports links, or something is missing in too large a network.
  explicit ShortestPaths(const Network& network);
  explicit ShortestPaths(const network::SurvivingNetwork& network);

  std::uint64_t ports(Node from, Node relative) const { return ports_[entry(from, relative)]; }
  /// network::unreachable if no path leads there.
  std::uint32_t distance(Node from, Node relative) const { return distances_[entry(from, relative)]; }
  /// The port of a bit of ports(from, ...).
  Port port(Node from, Port bit) const { return stride_ == 0 ? bit : listed_[first_[from] + bit]; }
  /// Whether every node has ports of its own, without symmetry, and how many.
  bool is_listed() const { return stride_ != 0; }
  Port port_count(Node from) const {
    const std::size_t end = from + 1 < first_.size() ? first_[from + 1] : listed_.size();
    return static_cast<Port>(end - first_[from]);
  }

 private:
  void add_paths_to(Node to, const network::SurvivingNetwork& network);
  std::size_t entry(Node from, Node relative) const { return std::size_t{from} * stride_ + relative; }

  std::size_t stride_ = 0;          // between the tables of nodes; 0 if one serves all
  std::vector<std::size_t> first_;  // without symmetry: by node, of its ports in listed_
  std::vector<Port> listed_;
  std::vector<std::uint32_t> distances_;
  std::vector<std::uint64_t, HugePageAllocator<std::uint64_t>> ports_;
};

/// The most packets of a simulation, those of one origin under a symmetric policy, else all; and the most queues, one
/// per node and priority.
inline constexpr std::uint64_t most_packets = std::uint64_t{1} << 30;
inline constexpr std::uint64_t most_queues = std::uint64_t{1} << 27;

/// The packets to deliver; a block is one packet per part. Packets for their own origin arrive at the start.
struct PacketTask {
  std::vector<schedule::RelativeDestination> isotropic = {};  ///< from every node
  std::vector<schedule::Delivery> listed = {};                ///< further packets
  std::uint32_t parts = 1;                                    ///< 1 or more
};

/// How long a hop takes, by the class of its link.
struct HopTimes {
  std::vector<double> seconds;                          ///< by class, 1 to 64 of them, each above 0
  std::function<std::uint32_t(Node, Port)> link_class;  ///< of a directed link
  bool by_port = true;                                  ///< whether links along one port are of one class
};

/// One hop; under a symmetric policy a hop of node 0, which stands for all nodes.
struct Transmission {
  std::uint64_t round = 0;
  double start_s = 0;  ///< with hop times, instead of the round
  Node from = 0;
  Port port = 0;
  Node relative = 0;  ///< the packet's destination - from
};

struct PacketRunOptions {
  std::uint64_t most_rounds = UINT64_MAX;               ///< the limit of a run
  std::function<void(const Transmission&)> visit = {};  ///< called for every hop, round by round
  std::function<void(double)> progress = {};  ///< called after every round with the share of hops done, 0..1
};

/// The result of a run. Packets, hops and delays count over all nodes, under a symmetric policy too.
struct PacketRun {
  std::uint64_t rounds = 0;
  bool complete = true;  ///< false if most_rounds stopped the run with packets under way
  std::uint64_t packets = 0;
  std::vector<std::uint64_t> delays = {};  ///< by w: packets that were at their destinations after w rounds
  std::uint64_t transmissions = 0;
  std::vector<std::uint64_t> port_transmissions = {};  ///< by port
  double mean_queue = 0;  ///< packets waiting at a node as a round begins, over nodes and rounds
  std::uint64_t longest_queue = 0;
  /// With hop times, instead of rounds and delays; packets wait, for the mean queue, until they have arrived.
  double seconds = 0;
  double delay_seconds = 0;  ///< the sum over the packets that have arrived

  /// The sum over the packets that have arrived.
  std::uint64_t delay_sum() const;
  /// The mean over these packets; 0 if there are none.
  double mean_delay() const;
  /// The same in seconds.
  double mean_delay_s() const;
};

/// Hop times as a run needs them.
class TimedHops {
 public:
  TimedHops(const HopTimes& times, const Network& network, const ShortestPaths& paths);

  std::size_t classes() const { return picoseconds_.size(); }
  double picoseconds(std::uint32_t link_class) const { return picoseconds_[link_class]; }
  /// Of the port of a bit of ShortestPaths::ports(node, ...).
  std::uint32_t of(Node node, Port bit) const {
    return classes_[first_.empty() ? std::size_t{node} * stride_ + bit : first_[node] + bit];
  }

 private:
  std::vector<double> picoseconds_;    // whole ones
  std::size_t stride_ = 0;             // between nodes; 0: one row serves all
  std::vector<std::size_t> first_;     // of nodes whose ports are listed
  std::vector<std::uint8_t> classes_;  // of links
};

/// A task on a network under a policy, ready to run from any seed.
class PacketSimulator {
 public:
  /// @throws Error if the network has more than most_ports ports, the task names a node outside it, has no
  /// parts or more than most_packets packets, needs more than most_queues queues, or lists packets for a
  /// symmetric policy, and for half duplex or a number of ports outside 1..degree. If something is missing: also if the
  /// policy is symmetric, the network is too large (most_nodes_without_symmetry), or survivors are cut off from each other.
  /// Packets from and to failed nodes are left out. With `times` a hop that takes no time, and a symmetric policy on links along
  /// one port that are of several classes, are errors too.
  PacketSimulator(const Network& network, PacketTask task, RoutingPolicy policy,
                  schedule::PortModel ports = schedule::PortModel::all(),
                  const network::Failures& missing = {}, const std::optional<HopTimes>& times = {});

  /// Whether hops take the times of their links, and runs seconds.
  bool is_timed() const { return timed_.has_value(); }

  /// The same run for the same seed, on every platform.
  PacketRun run(std::uint64_t seed, const PacketRunOptions& options = {}) const;

 private:
  Network network_;
  PacketTask task_;
  RoutingPolicy policy_;
  Port at_once_;
  ShortestPaths paths_;
  std::optional<TimedHops> timed_;
  std::uint32_t farthest_ = 0;  // hops of the farthest packet
};

}  // namespace isotrope::simulate

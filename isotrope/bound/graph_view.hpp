// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A problem as the bounds see it: the nodes that are up, the ports that each can use in a round, the distances,
// and the packets that must move.
//
//     symmetric    nothing failed and every node sends alike: node 0 stands for all, closed forms for distances
//     intact       nothing failed: every node has the same ports, closed forms for distances
//     otherwise    around failures: ports are counted per node, and distances are searched
//
// A symmetric view is an intact one. A view that ignores the symmetry of an intact network counts and searches as
// around failures: its bounds hold, and the largest is at most the largest of the symmetric view.
//
// Cost: symmetric O(D) or O(destinations); packets are listed when a bound first looks at them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/ceil_div.hpp"
#include "isotrope/schedule/problem.hpp"

namespace isotrope::bound {

using network::Network;
using network::Node;
using network::Port;
using network::SurvivingNetwork;
using schedule::Problem;

/// The traffic of a collective, as the bounds need it. A collective and its reverse have the same traffic.
enum class Traffic {
  one_to_all,   ///< broadcast, reduce: the packets of one node reach all, or come from all
  all_to_all,   ///< allgather, reduce-scatter: the packets of every node do
  reduced,      ///< allreduce, barrier: every contribution reaches every node
  one_to_each,  ///< scatter, gather: a block of its own for each node
  isotropic,    ///< alltoall, neighborhood, isotropic: every node sends the same blocks in relative addresses
  listed        ///< task: any blocks
};

/// The packets between two different nodes that are up.
struct Travel {
  Node from;
  Node to;
  std::uint32_t distance;
  std::uint32_t blocks;  ///< at least 1
};

/// Whether a view of an intact network uses the symmetry, or counts and searches as around failures.
enum class Symmetry { used, ignored };

/// A view of a problem, which must outlive the view.
class GraphView {
 public:
  /// @throws Error as SurvivingNetwork if something has failed.
  explicit GraphView(const Problem& problem, Symmetry symmetry = Symmetry::used);

  const Problem& problem() const { return problem_; }
  const Network& network() const { return problem_.network; }
  Traffic traffic() const { return traffic_; }
  /// Whether packets have one destination each.
  bool is_personal() const;
  bool is_symmetric() const { return intact() && traffic_ != Traffic::listed; }
  bool intact() const { return !survivors_; }
  /// Whether a packet of the root, or of any node, must become known to all; or, as messages of several packets tell
  /// all that their senders know, whether anything must. Around failures that is not counted for personal blocks.
  bool is_known_everywhere() const;
  /// Whether every node has something for every other one.
  bool all_learn_from_all() const;
  /// Whether the root is up and all nodes that are up reach each other.
  bool is_connected() const;

  /// Whether messages carry several packets.
  bool aggregated() const { return problem_.aggregated(); }
  /// Whether messages carry any number of packets.
  bool unlimited() const { return problem_.aggregation == schedule::unbounded; }
  bool half_duplex() const { return problem_.ports.half_duplex(); }
  /// The parts of a block that count, of allreduce those of the vector: without an aggregation limit a message carries
  /// them all, so 1.
  std::uint64_t parts() const;

  /// Nodes that are up.
  std::uint64_t node_count() const;
  /// The most ports that a node may send on in a round.
  Port port_limit() const { return problem_.ports.sends(network().degree()); }
  /// The packets of parts() that one message carries at most: the aggregation limit, and 1 if there is none.
  std::uint64_t message_room() const { return unlimited() ? 1 : problem_.aggregation; }
  /// The packets that a node may send in a round.
  std::uint64_t room() const { return room_over(port_limit()); }
  std::uint64_t room(Node node) const { return room_over(usable_ports(node)); }
  /// The packets that so many messages carry at most; saturates at 2^64 - 1.
  std::uint64_t room_over(std::uint64_t messages) const {
    return schedule::saturating_product(messages, message_room());
  }
  /// The ports that a node can send on in a round; 0 for failed nodes.
  Port usable_ports(Node node) const { return intact() ? port_limit() : usable_ports_[node]; }
  /// The ports of the node that can use the most.
  Port most_usable_ports() const;
  /// The ports of all nodes together.
  std::uint64_t all_usable_ports() const;

  /// The network around the failures. @pre !intact().
  const SurvivingNetwork& survivors() const { return *survivors_; }

  /// @pre is_symmetric(). The diameter.
  std::uint64_t diameter() const { return wanted_.size() - 1; }
  /// @pre is_symmetric(). The blocks of node 0 for distance 0, 1, ..., diameter; none for distance 0. If packets
  /// go to all nodes: the nodes at each distance.
  const std::vector<std::uint64_t>& wanted() const { return wanted_; }
  std::uint64_t wanted_count() const;
  /// Hops to all wanted blocks.
  std::uint64_t wanted_distance_sum() const;

  /// The blocks between different nodes, in the order of the problem or of deliveries_of. @pre is_personal().
  const std::vector<Travel>& travels() const;

 private:
  void count_wanted();
  void count_ports();

  const Problem& problem_;
  Traffic traffic_;
  std::optional<SurvivingNetwork> survivors_;
  std::vector<Port> usable_ports_;     // by node; around failures only
  std::vector<std::uint64_t> wanted_;  // by distance; of symmetric views only
  mutable std::optional<std::vector<Travel>> travels_;
};

}  // namespace isotrope::bound

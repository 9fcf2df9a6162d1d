// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A collective with blocks of unequal sizes by a forwarder (forward/forwarder.hpp): the messages between this rank and its
// neighbours.
//
// As many receives are posted on a lane as the sender has announced. Sends are synchronous: a message is complete when the
// neighbour has begun to receive it. So no memory of the MPI library fills up, and what waits here can still take another
// lane. A rank forwards what others have sent to it only within calls of its own.
//
// Memory: two messages of 32 KiB a link each way, and what is on its way through this rank.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "isotrope/network/rank_map.hpp"

#include "isotrope/forward/forwarder.hpp"
#include "isotrope/forward/lane_graph.hpp"
#include "isotrope/forward/shortest_ports.hpp"
#include "isotrope/forward/spread_trees.hpp"
#include "isotrope/mpi/channel.hpp"
#include "isotrope/mpi/execution.hpp"

namespace isotrope::mpi {

/// What the forwarders of one rank need to know of a network. Forwarders know nodes. Trees and lanes are made when they are
/// first needed.
class ForwardingTables {
 public:
  ForwardingTables(const network::MappedNetwork& network, network::Rank rank, const cost::Machine& machine);

  const forward::ShortestPorts& ports() const { return ports_; }
  const network::RankMap& ranks() const { return ranks_; }
  /// Of the lanes out of the node of the rank (forward/lane_graph.hpp).
  const std::vector<double>& widths() const { return widths_; }
  std::uint32_t diameter() const { return distances_.largest; }
  /// Of two different nodes.
  double mean_distance() const { return distances_.mean; }
  /// The most links of a node. A graph that lists its links belongs to a network of many more ports.
  std::uint32_t degree() const { return degree_; }
  /// Directed links of the network: at least as many as lanes.
  std::uint64_t links() const { return 2 * network_.links(); }
  /// Several threads may call these at once.
  const forward::SpreadTrees& trees();
  const forward::LaneGraph& lanes();

 private:
  network::SurvivingNetwork network_;
  network::RankMap ranks_;
  forward::ShortestPorts ports_;
  cost::Machine machine_;
  std::vector<double> widths_;
  forward::Distances distances_;
  std::uint32_t degree_ = 1;
  std::mutex making_;
  std::optional<forward::SpreadTrees> trees_;
  std::optional<forward::LaneGraph> lanes_;
};

/// Makes the forwarder of one start of the collective, with all blocks added.
/// @param note keeps the code of an error that is found while data come
using MakeForwarder =
    std::function<std::unique_ptr<forward::Forwarder>(const std::function<void(int)>& note)>;

/// @param end takes the forwarder when it is complete; it may be empty
/// @param channel, @param tables must outlive the result. @param tag of the channel, and of no other open call
std::unique_ptr<Execution> make_forwarding(MakeForwarder make,
                                           std::function<void(const forward::Forwarder&)> end,
                                           const ForwardingTables& tables, const Channel& channel, int tag);

}  // namespace isotrope::mpi

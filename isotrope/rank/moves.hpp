// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan as moves: every hop with the place that its packet leaves at the sender and the place that it gets at
// the receiver, round by round. The moves of all nodes are the programs of all nodes (program.hpp) with both
// ends of every message joined.
//
//     by_class    one move stands for those of all nodes of the receiver's class (schedule::NodeClasses):
//                 blocks are numbered by differences, input block r is for node u + r, output block r is
//                 from node u - r, so places are the same at every node u of a class. The compilation costs
//                 what the listed hops cost, however many nodes there are.
//     by_node     every move is written out, and places are those of the programs of the ranks
//
// Stages that are replicated in different ways have no common classes; their hops are written out.
//
// By class, nothing that is read in a round is written in the same round, for any plan, valid or not: slots
// are used again from the next round on, a packet that a node has already comes to a slot that nobody reads,
// and so does a partial result that comes while another leaves. By node, two moves of a round may meet in
// a unit of the output or of partial results.
//
// A hop moves nothing, and is left out, if its sender does not hold the packet, or if a node or link of the hop
// does not exist or has failed. Arrivals to be reduced are in ascending order of the receiver's port.
//
// Cost: O(hops + packets) by class, by node that for every translate. Memory: of copied packets a bit, of
// contributions to reductions 4 bytes, per packet and node.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/rank/places.hpp"

namespace isotrope::rank {

enum class NodeForm : std::uint8_t { by_class, by_node };

/// A packet over one link; or, if sender and receiver are one node, inside the node: a local move of an exchange.
struct PacketMove {
  Node sender = 0;  ///< by class, for all translates of both nodes
  Node receiver = 0;
  Port port = 0;           ///< the sender's, towards the receiver; no meaning in a local move
  std::uint32_t part = 0;  ///< of a block; tells the size
  Place from = {};         ///< at the sender
  Place to = {};           ///< at the receiver
  OnArrival arrival = OnArrival::store;

  bool is_local() const { return sender == receiver; }
};

/// A packet, in a form by class together with all its translates.
struct MovedPacket {
  schedule::PacketId id = 0;  ///< as listed in its stage
  schedule::Packet packet = {};
  /// The origin, or, if the stage reduces, the node that ends with the result; to_all: every node does.
  Node owner = 0;
  bool reduced = false;  ///< all nodes' contributions together rather than the data of its owner
};

/// A packet at a node.
struct PacketPlace {
  std::uint64_t packet = 0;  ///< index into MovePlan::packets
  Node node = 0;
  std::optional<Place> place = {};  ///< nothing if the packet never comes
};

/// The buffers of every node of a class, by class. Partial results grow in the places of the contributions.
struct ClassBuffers {
  std::uint32_t input_blocks = 0;
  std::uint32_t output_blocks = 0;
  std::uint32_t own_blocks = 0;  ///< so many output blocks, the first, are the first input blocks
  std::uint32_t slots = 0;
};

struct MovePlan {
  schedule::Replication replication;       ///< the classes are its; by node, each node is a class
  std::vector<Node> up = {};               ///< all nodes but the failed ones, ascending
  std::vector<ClassBuffers> buffers = {};  ///< by class; by node, only the slots are set
  std::vector<MovedPacket> packets = {};   ///< stage after stage
  std::vector<PacketPlace> sources = {};   ///< the contributions of nodes
  std::vector<PacketPlace> sinks = {};  ///< the packets that nodes must hold in the end, ascending by packet
};

/// The replication of all stages; none if they differ, as every stage can be written out, and for scan and exscan,
/// whose results differ from node to node.
schedule::Replication common_replication(const schedule::Plan& plan);

/// Called once per round, rounds without moves among them; and for the local moves before a round or at the end.
using RoundListener = std::function<void(std::span<const PacketMove>)>;

/// Compiles `plan`; passes the moves of one round after the other to `listener`.
/// @throws Error if a replicated plan has failures; if there are more stages than programs are made of; if packets
/// are neither listed nor implied, lie outside the network, or are of a listed task and reduced; if an exchange is to
/// be compiled by node.
MovePlan compile_moves(const schedule::Plan& plan, NodeForm form, const RoundListener& listener);

}  // namespace isotrope::rank

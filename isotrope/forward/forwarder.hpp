// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// One node of an exchange of blocks of unequal sizes, which no node knows all of. The node has a queue for each neighbour;
// a message takes what is queued, farthest first. No round, no plan and no agreement is needed: nodes decide alone.
//
//     block -> parts -> units { origin, destination, place in the block, bytes, order, hops }
//
//     to one node      A unit goes along a shortest path. It prefers the lane of its order (shortest_ports.hpp), which
//                      balances traffic that is the same everywhere. If the queue there takes longer, by two messages, than
//                      that of another lane that leads closer, it takes that one. If routes have been balanced
//                      (balanced_routes.hpp), a unit has its route with it instead, and a stage: units of an earlier one go first.
//     to all nodes     A unit goes along its tree (spread_trees.hpp).
//     sums             A unit goes against its tree, once the sums of all children have come (partial_sums.hpp).
//
// The end. Hop h of a unit needs hop h - 1. A lane has closed level h if it has no unit left that makes its hop 1..h, and
// will have none: then all neighbours have closed h - 1 towards this node. Every message carries the level of its
// lane, and a lane that has nothing else to send sends a message without units when its level has risen. When all lanes, in
// and out, have closed the longest path, all nodes together are at the end. Termination and completeness follow by
// induction on h, for any paths of that length. If the bytes of every lane are known, as in an allgather and a
// reduce-scatter, a lane closes all levels when it has sent its last byte, and no message is without units.
// Messages also carry the extremes of what nodes are known to have added. What a node closes with level h has been heard
// from all nodes h hops away or less, so at the end of an exchange all nodes know the extremes of all.
//
// Messages of a lane stay in order. Each says how many further messages will follow at least, 2 per link at most: so many
// receives may be posted, and none is ever left over.
//
// A message takes what is queued, up to a limit c. Long messages keep links busy, as the time between two of them is lost;
// short ones keep ways short, as each node receives a message before it sends it on. Without trees or routes c is an eighth of what
// the node adds per lane, or a quarter of what is queued if that is more. Along trees of height h, or routes of h hops, of which each lane
// carries L bytes, the time is about (L + (h - 1) c) (1 + g / c) for a gap of g bytes between messages, and c its least
// point, sqrt(L g / (h - 1)). But c is least_message to most_message. The first three messages of a lane are a quarter, a half
// and three quarters as long, because the links beyond are idle until they have come. Data are copied into a message and
// stay in the message that they came in.
// Cost: O(1) per unit and hop, apart from the copy; 56 bytes a unit that is queued.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "isotrope/forward/balanced_routes.hpp"
#include "isotrope/forward/partial_sums.hpp"
#include "isotrope/forward/shortest_ports.hpp"
#include "isotrope/forward/spread_trees.hpp"

namespace isotrope::forward {

/// A stretch of a block on its way. Messages carry it as it is.
struct Unit {
  static constexpr Node everywhere = UINT32_MAX, summed = UINT32_MAX - 1;

  Node origin = 0;           ///< of the block; of a sum, the node that ends with it
  Node destination = 0;      ///< or everywhere, or summed
  std::uint64_t offset = 0;  ///< bytes of the block before it
  std::uint16_t order = 0;   ///< of shortest_ports.hpp; of the last two, the tree; on a route, the stage
  std::uint16_t route = 0;   ///< hops of the route that comes before the bytes; 0: none
  std::uint16_t bytes = 0;
  std::uint16_t hops = 0;  ///< made so far
};

/// What all nodes know of an exchange when it is over.
struct ExchangeExtremes {
  std::uint64_t most_bytes = 0;   ///< that a node sends
  std::uint64_t most_blocks = 0;  ///< that a node sends, not empty
  std::uint64_t largest_block = 0;
  std::uint64_t smallest_block = UINT64_MAX;  ///< of a node for another one, maybe empty

  void include(const ExchangeExtremes& other) {
    most_bytes = std::max(most_bytes, other.most_bytes);
    most_blocks = std::max(most_blocks, other.most_blocks);
    largest_block = std::max(largest_block, other.largest_block);
    smallest_block = std::min(smallest_block, other.smallest_block);
  }
  bool operator==(const ExchangeExtremes&) const = default;
};

/// What messages cost.
struct MessageCost {
  std::uint64_t gap = 0;  ///< the bytes that a link could carry in the time between two messages
  std::uint64_t least =
      0;  ///< messages hold at least so many bytes if there are as many, as each costs processor time
};

class Forwarder {
 public:
  /// Bytes of a message without its header, and of a unit with its description.
  static constexpr std::uint64_t least_message = std::uint64_t{1} << 11,
                                 most_message = std::uint64_t{1} << 15, largest_unit = std::uint64_t{1} << 14;
  /// Before the units of a message: their number, the level, what follows, the extremes.
  static constexpr std::uint64_t header_bytes = 8 + sizeof(ExchangeExtremes);
  /// No message is longer.
  static std::uint64_t largest_message();
  static constexpr std::uint64_t largest_element = largest_unit - sizeof(Unit);

  /// Takes what comes for this node; the bytes are good during the call.
  using Deliver = std::function<void(const Unit&, const std::byte* bytes)>;

  /// An exchange in which every unit has one destination. @param ports, which must outlive this
  /// @param longest_path the diameter of the network
  Forwarder(const ShortestPorts& ports, std::uint32_t longest_path, Deliver deliver);
  /// The same, by routes that all nodes have balanced. @param routes must outlive the call of start()
  Forwarder(const ShortestPorts& ports, const BalancedRoutes& routes, Deliver deliver);
  /// An allgather of blocks of `block_bytes` bytes, by origin. @param trees must outlive this as well
  Forwarder(const ShortestPorts& ports, const SpreadTrees& trees, std::span<const std::uint64_t> block_bytes,
            Deliver deliver);
  /// What elements are, and how they are added. At most largest_element bytes.
  struct Addition {
    std::uint64_t element_bytes = 1;
    PartialSums::Combine combine;
  };
  /// A reduce-scatter that leaves a block of `block_bytes` bytes, of whole elements, at every node.
  Forwarder(const ShortestPorts& ports, const SpreadTrees& trees, std::span<const std::uint64_t> block_bytes,
            Addition addition, Deliver deliver);
  Forwarder(const Forwarder&) = delete;
  Forwarder& operator=(const Forwarder&) = delete;

  /// The same at all nodes; before anything is added.
  void set_message_cost(MessageCost cost);
  /// How wide the lanes of this node are (lane_graph.hpp), by which queues are compared; without this, as wide as their links are many.
  void set_widths(std::span<const double> widths);

  /// Adds the block of this node for another; the bytes must stay until they are sent.
  void add(Node destination, std::span<const std::byte> block);
  /// Adds the block of this node for all. @pre an allgather
  void spread(std::span<const std::byte> block);
  /// Adds what this node contributes to the block of `owner`, which may be itself; it must stay to the end.
  /// @pre a reduce-scatter
  void contribute(Node owner, std::span<const std::byte> block);
  /// Queues all that has been added. Units for one node are mixed, so that nodes do not all serve the same node first.
  void start();

  /// Whether there is something to send on a lane now. @param idle whether no message of the lane is under way
  bool has_message(std::size_t lane, bool idle) const;
  /// Writes the next message of the lane. @returns its bytes. @pre has_message; room for largest_message() bytes
  std::uint64_t write(std::size_t lane, std::byte* message);
  /// How many messages at once the lane should have under way.
  std::uint32_t window(std::size_t lane) const { return 2 * ports_.links(lane); }
  /// How many messages will surely come over the lane after those that have been received.
  std::uint32_t awaited(std::size_t lane) const { return lanes_[lane].awaited; }
  /// Takes a message that has come over the lane. @throws Error if it is none of this protocol
  void receive(std::size_t lane, const Message& message, std::uint64_t bytes);
  /// Whether nothing is left to send or to receive.
  bool is_complete() const;
  /// Of all nodes. @pre an exchange that is complete
  const ExchangeExtremes& extremes() const { return extremes_; }

 private:
  struct Header;
  struct Queued {
    Unit unit;
    const std::byte* route;  // its lanes, each of two bytes
    const std::byte* bytes;
    Message kept;  // that holds route and bytes; nothing: the bytes are the caller's
  };
  static constexpr std::uint32_t stages = 16;

  struct Lane {
    std::vector<std::deque<Queued>> queues =
        {};  // by urgency: hops that are left; of sums and on routes also the stage
    std::vector<std::uint64_t> queued_by_hop = {};  // units, by the number of their next hop, from 1
    std::uint64_t backlog = 0;                      // bytes queued
    std::uint64_t unsent = 0;                       // bytes, queued or not, if they are known
    double width = 1;                               // lane_graph.hpp
    std::uint32_t sent_level = 0, received_level = 0, awaited = 1;
    std::uint64_t sent_messages = 0;
  };

  Forwarder(const ShortestPorts& ports, const SpreadTrees* trees, std::uint32_t longest_path,
            Deliver deliver);
  void count_bytes(std::span<const std::uint64_t> block_bytes);
  void add_by_routes(Node destination, std::span<const std::byte> block);
  void add_part(Node origin, Node destination, std::uint32_t tree, std::span<const std::byte> block);
  std::uint64_t begin_of_tree(Node origin, std::uint32_t tree, std::uint64_t block_bytes) const;
  void push(const Queued& queued);
  void push(std::size_t lane, std::uint32_t left, Queued queued);
  std::uint32_t urgency_of_routed(const Unit& unit) const;
  std::uint32_t urgency_of_sum(const Unit& unit) const;
  std::size_t next_lane(const Queued& queued) const;
  std::size_t lane_for(const Unit& unit) const;
  std::uint32_t level(const Lane& lane) const;
  std::uint32_t following(std::size_t lane) const;
  std::uint64_t limit(const Lane& lane) const;
  std::vector<Queued> take(Lane& lane) const;
  void accept(std::size_t lane, const Queued& arrived);
  void accept_sum(std::size_t lane, Unit unit, const std::byte* bytes, const Message& kept);
  void require_sound(const Unit& unit) const;

  const ShortestPorts& ports_;
  const SpreadTrees* trees_;
  const BalancedRoutes* routes_ = nullptr;
  std::uint32_t longest_path_;
  bool counts_bytes_ = false;
  std::uint64_t element_bytes_ = 1;       // of parts along trees, which hold whole elements
  std::optional<PartialSums> sums_ = {};  // of a reduce-scatter
  std::vector<std::span<const std::byte>> contributions_ = {};  // then, by owner
  Deliver deliver_;
  std::vector<Queued> own_;  // added, not queued
  std::deque<Route> own_routes_;
  ExchangeExtremes extremes_;  // of this node, then of all that are known
  std::uint64_t least_ = least_message;
  std::uint64_t all_ = 0;    // bytes of all blocks, if they are known
  bool is_staged_ = false;   // units of this node on routes, which are for few others
  std::uint64_t usual_ = 0;  // limit of messages; of trees the same at all nodes, as are their units
  std::vector<Lane> lanes_;
};

}  // namespace isotrope::forward

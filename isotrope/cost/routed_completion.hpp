// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The completion time of messages between any nodes of a cut-through machine: what completion.hpp is for messages between
// neighbours, when links are shared and the order of events depends on the times.
//
// A node goes through the rounds of every chain (schedule/plan.hpp) by itself, as the MPI runtime does: it posts the receipts of
// the round, prepares the messages one after the other, and begins the next round when it has taken all receipts. Its processor
// does one thing at a time: chains whose round has no receipts go on first, in turn; of several messages that have come, it takes the
// one whose round began first.
//
//     a message      begins when it is prepared and its receiver's round has begun
//                    is on its way for tau and the hop time of every further link, and occupies no link meanwhile
//                    then sends its bytes over all links of its way at once
//     links          share their bandwidth so that nobody can have more without less for another that has no more (max-min
//                    fairness); messages over h links have 1/h of the weight, as TCP shares by round-trip times
//
//     ring:8, one message to x + 3, one to x + 1, o = 0    the near one begins 2 hop times before, and shares the link then
//
// With all messages of a round alike and no overhead, this is Machine::direct_time. So SimGrid counts too (CM02).
//
// Shares of the data (schedule/plan.hpp) are chains that send the same messages, each of its own size.
//
// If translations change neither messages nor ways, one node of each orbit stands for the others: what it sends comes to the orbit of the
// receiver, and a way may pass links of one orbit several times. So the linear exchange on torus:8x8 has two nodes, an even one and
// an odd one, and 126 messages. If all nodes send alike to their neighbours, loads suffice (of_alike_nodes).
//
// Cost: when bytes begin or end to use a link with others, O(links) of all flows that share links with them, directly or through
// others, and as often as their rates differ; else O(log moments) an event. Memory: O(messages * links of their ways).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "isotrope/network/failures.hpp"
#include "isotrope/network/network.hpp"

#include "isotrope/schedule/overlay_messages.hpp"
#include "isotrope/schedule/schedule.hpp"
#include "isotrope/schedule/task.hpp"

#include "isotrope/cost/machine.hpp"
#include "isotrope/cost/round_load.hpp"

namespace isotrope::cost {

/// What all nodes send, chain by chain and round by round; nodes that are alike once.
class RoutedMessages {
 public:
  using Node = network::Node;
  using Port = network::Port;

  /// The hops of `schedule` go over the ports of `overlay`, a network of the same nodes as `machine`, or `machine` itself. The machine
  /// `lacks` some links and nodes; if links lie side by side, links that close axes alone. Parts of different chains share no message.
  /// @pre chains divides the parts of the task
  RoutedMessages(const network::Network& machine, const network::Failures& lacks,
                 const network::Network& overlay, const schedule::Schedule& schedule,
                 const schedule::Task& task, std::uint32_t chains);

  /// The same of messages over their overlay. @pre chains divides their shares
  RoutedMessages(const network::Network& machine, const network::Failures& lacks,
                 const schedule::OverlayMessages& messages, std::uint32_t chains);

  /// Of nodes that send alike in every round: as many messages to neighbours as its load says, one of them over the busiest
  /// link, the others with equal parts of the rest. On a machine without overheads the busiest link alone: it sets the pace;
  /// where not every round has the same busiest link, what waits on others is missing, of the order of a percent.
  static RoutedMessages of_alike_nodes(std::span<const RoundLoad> rounds, const Machine& machine);

  std::size_t messages() const { return messages_.size(); }
  /// Of all nodes.
  std::size_t written_out() const { return messages_.size() * orbit_size_; }
  /// Whether a node has messages of a round to unlike distances, and to like ones.
  bool are_distances_unlike() const { return are_distances_unlike_; }
  bool are_distances_alike() const { return are_distances_alike_; }
  /// Seconds until the last node is ready, with parts of `part_bytes` bytes, a size for every share of the data; infinity if
  /// that takes more than `limit`. Takes its steps from `work_left`; nothing if they do not suffice. In a round a node prepares its
  /// messages, and takes those that come together, in `order`.
  /// @pre machine.cut_through, all its links are alike, and there is a share.
  std::optional<double> completion(std::span<const std::uint64_t> part_bytes, const Machine& machine,
                                   std::uint64_t& work_left, schedule::SendOrder order = {},
                                   double limit = std::numeric_limits<double>::infinity()) const;

 private:
  friend class RoutedClock;
  class Writer;

  RoutedMessages() = default;

  struct Message {
    Node from = 0, to = 0;
    std::uint32_t chain = 0, round = 0;
    Port port = 0, receiver_port = 0;
    std::uint64_t packets = 0;
    std::uint32_t first_link = 0, hops = 0;
    std::uint32_t port_hops = 0;  // over its port from node 0 (schedule/send_order.hpp)
  };
  // Indices of messages, by node, chain and round.
  struct Lists {
    std::vector<std::uint32_t> ends, messages;

    std::span<const std::uint32_t> at(std::size_t list) const {
      const std::uint32_t begin = list == 0 ? 0 : ends[list - 1];
      return {messages.data() + begin, ends[list] - begin};
    }
  };

  std::size_t list(Node node, std::uint32_t chain, std::uint32_t round) const {
    return (std::size_t{node} * chains_ + chain) * rounds_ + round;
  }
  // By node, and within a list in order of `key`.
  template <class NodeOf, class Key>
  Lists sorted(NodeOf node_of, Key key) const;
  template <class Key>
  void sort_lists(Lists& lists, Key key) const;
  void sort_messages();
  Lists sends_in(schedule::SendOrder order) const;

  Node nodes_ = 1, orbit_size_ = 1;
  std::uint32_t chains_ = 1, rounds_ = 0;
  std::vector<Message> messages_;
  std::vector<std::uint32_t> links_;       // of the ways, one message after the other
  std::vector<std::uint32_t> capacities_;  // of links: how many lie side by side
  Lists sends_;                            // the farthest first, and then by ports
  Lists receipts_;
  bool are_distances_unlike_ = false, are_distances_alike_ = false;
};

}  // namespace isotrope::cost

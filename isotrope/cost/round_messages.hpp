// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The messages of one round, and the loads of the rounds of a stage.
//
// In a strict round every hop is a message; in an aggregated round all hops over one directed link are one message.
//
//     hops          a over 0, b over 1, c over 0, d over 0
//     strict        {a} {b} {c} {d}
//     aggregated    {a c d} {b}               in the order of their first hops
//
// Cost: O(1) a hop; in aggregated rounds 4 bytes a directed link, and for loads 32 bytes a class of nodes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "isotrope/schedule/ceil_div.hpp"
#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/schedule.hpp"

#include "isotrope/cost/lane_groups.hpp"
#include "isotrope/cost/link_times.hpp"
#include "isotrope/cost/round_synchronous.hpp"

namespace isotrope::cost {

using schedule::Node;
using schedule::PacketId;
using schedule::Port;

/// A message under way.
struct Transfer {
  std::uint64_t link = 0;  ///< directed; the caller that adds hops numbers the links
  Node from = 0;           ///< of its first hop, as are port and packet
  Port port = 0;
  PacketId packet = 0;
  std::uint32_t packets = 0;
  std::uint64_t bytes = 0;
  double time_s = 0;  ///< while the round is put together: when it is ready; then: when it ends
};

class RoundMessages {
 public:
  RoundMessages(schedule::RoundKind kind, std::uint64_t links)
      : aggregated_(kind == schedule::RoundKind::aggregated), of_link_(aggregated_ ? links : 0) {}

  void begin_round() {
    transfers_.clear();
    of_hop_.clear();
  }
  /// Adds the next hop, `hop` over directed link number `link`, and returns its message.
  Transfer& add(const schedule::Hop& hop, std::uint64_t link, std::uint64_t bytes) {
    const std::uint32_t index = place(link);
    if (index == transfers_.size()) transfers_.push_back({link, hop.from, hop.port, hop.packet});
    Transfer& transfer = transfers_[index];
    ++transfer.packets;
    transfer.bytes += bytes;
    return transfer;
  }

  /// All messages of the round.
  std::span<Transfer> all() { return transfers_; }
  /// The message of the hop added as number `hop` since begin_round().
  const Transfer& of_hop(std::size_t hop) const { return transfers_[aggregated_ ? of_hop_[hop] : hop]; }

 private:
  // An entry of of_link_ that an earlier round has left names no message of this link.
  std::uint32_t place(std::uint64_t link) {
    const auto next = static_cast<std::uint32_t>(transfers_.size());
    if (!aggregated_) return next;
    std::uint32_t& index = of_link_[link];
    if (index >= next || transfers_[index].link != link) index = next;
    of_hop_.push_back(index);
    return index;
  }

  bool aggregated_;
  std::vector<Transfer> transfers_;
  std::vector<std::uint32_t> of_link_;
  std::vector<std::uint32_t> of_hop_;
};

/// The loads of the rounds of one stage. Of a class of nodes one node is looked at. Of links that the places of a node share, a class of links
/// has the load of all lanes together.
class StageRounds {
 public:
  /// Refers to the stage, the network and the times.
  StageRounds(const network::Network& network, schedule::RoundKind kind, const schedule::Stage& stage,
              const LinkTimes& times)
      : network_(network),
        stage_(stage),
        times_(times),
        classes_(network.group(), stage.replication),
        degree_(network.degree()),
        messages_(kind, classes_.count() * degree_),
        lanes_(classes_, network.order(), times.lanes()),
        of_node_(classes_.count()),
        of_class_(times.all().size(), 0) {
    if (times_.lanes() > 1) {
      on_link_.assign(classes_.count() * degree_, 0);
      through_ports_.assign(classes_.count(), {});
    }
    if (times_.by_edge() && classes_.count() < network.order()) find_link_classes();
  }

  /// Calls visit(load) for every round that has hops. Packets have the sizes size_of(packet).
  template <class SizeOf, class Visit>
  void each(SizeOf size_of, Visit visit) {
    for (std::uint64_t t = 0; t < stage_.rounds.size(); ++t) {
      messages_.begin_round();
      std::uint64_t most = 0;
      for (const schedule::Hop& hop : stage_.rounds.round(t)) {
        const std::uint64_t link = classes_.of(hop.from) * degree_ + hop.port;
        most = std::max(most, messages_.add(hop, link, size_of(hop.packet)).bytes);
      }
      if (messages_.all().empty()) continue;
      RoundLoad busiest = most_of_one_node();
      busiest.packets = most;
      busiest.alike = all_send_alike();
      if (!times_.alike()) busiest.classes = loads_of_classes();
      visit(busiest);
    }
  }

 private:
  struct NodeLoad {
    std::uint64_t messages = 0, sent = 0, received = 0;
  };
  // Bytes over the links that the places of a node share.
  struct PortLoad {
    std::uint64_t sent = 0, received = 0;
  };

  NodeLoad& sender(const Transfer& message) { return of_node_[classes_.of(message.from)]; }
  NodeLoad& receiver(const Transfer& message) {
    return of_node_[classes_.of(network_.neighbour(message.from, message.port))];
  }

  // Whether the messages of every node go over the same ports in the same order. A number stands for the list of ports.
  bool all_send_alike() {
    constexpr std::uint64_t base = 0x9E3779B97F4A7C15;  // odd, so that no port is lost
    if (classes_.count() == 1) return true;
    if (messages_.all().size() % classes_.count() != 0) return false;
    ports_of_node_.assign(classes_.count(), 0);
    for (const Transfer& message : messages_.all()) {
      std::uint64_t& ports = ports_of_node_[classes_.of(message.from)];
      ports = (ports + message.port + 1) * base;
    }
    return std::ranges::all_of(ports_of_node_,
                               [&](std::uint64_t ports) { return ports == ports_of_node_.front(); });
  }

  // Of one class of nodes, the classes of the links that are alike for the stage.
  void find_link_classes() {
    link_classes_.assign(classes_.count() * degree_, 0);
    for (Node node = 0; node < network_.order(); ++node) {
      for (Port port = 0; port < degree_; ++port)
        link_classes_[classes_.of(node) * degree_ + port] |= std::uint64_t{1} << times_.of(node, port);
    }
  }
  // The classes of the links over which the message and its translates go, one bit each.
  std::uint64_t classes_of(const Transfer& message) const {
    return link_classes_.empty() ? std::uint64_t{1} << times_.of(message.from, message.port)
                                 : link_classes_[message.link];
  }
  // Empty messages count, as they take a start-up.
  std::vector<ClassLoad> loads_of_classes() {
    std::uint64_t used = 0;
    if (times_.lanes() > 1) add_up_lanes();
    for (const Transfer& message : messages_.all()) {
      const std::uint64_t classes = classes_of(message), bytes = carried_with(message);
      used |= classes;
      for (std::uint64_t rest = classes; rest != 0; rest &= rest - 1) {
        std::uint64_t& most = of_class_[static_cast<std::size_t>(std::countr_zero(rest))];
        most = std::max(most, bytes);
      }
    }
    if (times_.lanes() > 1) forget_lanes();
    std::vector<ClassLoad> result;
    for (; used != 0; used &= used - 1) {
      const auto link_class = static_cast<std::uint32_t>(std::countr_zero(used));
      result.push_back({link_class, std::exchange(of_class_[link_class], 0)});
    }
    return result;
  }

  // Links that the places of a node share.
  bool is_shared(const Transfer& message) const {
    return times_.lanes() > 1 && times_.all()[times_.of(message.from, message.port)].lanes > 1;
  }
  std::uint64_t& on_link(const Transfer& message) {
    return on_link_[lanes_.of(classes_.of(message.from)) * degree_ + message.port];
  }
  PortLoad& sent_by_node(const Transfer& message) {
    return through_ports_[lanes_.of(classes_.of(message.from))];
  }
  PortLoad& received_by_node(const Transfer& message) {
    return through_ports_[lanes_.of(classes_.of(network_.neighbour(message.from, message.port)))];
  }
  void add_up_lanes() {
    for (const Transfer& message : messages_.all()) {
      if (!is_shared(message)) continue;
      const std::uint64_t bytes = message.bytes * lanes_.members();
      on_link(message) += bytes;
      sent_by_node(message).sent += bytes;
      received_by_node(message).received += bytes;
    }
  }
  void forget_lanes() {
    for (const Transfer& message : messages_.all()) {
      on_link(message) = 0;
      sent_by_node(message) = received_by_node(message) = {};
    }
  }
  // The bytes for whose time the message's link, or a port of one of its nodes, is busy.
  std::uint64_t carried_with(const Transfer& message) {
    if (!is_shared(message)) return message.bytes;
    const std::uint64_t link = on_link(message);
    if (times_.ports().kind == schedule::PortModel::Kind::all_port) return link;
    const Port at_once = times_.ports().sends(static_cast<Port>(degree_));
    const PortLoad &from = sent_by_node(message), &to = received_by_node(message);
    const std::uint64_t busiest = times_.ports().half_duplex()
                                      ? std::max(from.sent + from.received, to.sent + to.received)
                                      : std::max(from.sent, to.received);
    return std::max(link, schedule::ceil_div(busiest, at_once));
  }

  // Of each the most by one node.
  RoundLoad most_of_one_node() {
    RoundLoad most;
    for (const Transfer& message : messages_.all()) {
      NodeLoad& from = sender(message);
      most.messages = std::max(most.messages, ++from.messages);
      most.sent = std::max(most.sent, from.sent += message.bytes);
      most.received = std::max(most.received, ++receiver(message).received);
    }
    for (const Transfer& message : messages_.all()) sender(message) = receiver(message) = {};
    return most;
  }

  const network::Network& network_;
  const schedule::Stage& stage_;
  const LinkTimes& times_;
  schedule::NodeClasses classes_;
  std::uint64_t degree_;
  RoundMessages messages_;
  LaneGroups lanes_;
  std::vector<std::uint64_t> on_link_;   // of all lanes, by group and port; nothing between rounds, as below
  std::vector<PortLoad> through_ports_;  // of all places of a node, by group
  std::vector<NodeLoad> of_node_;        // by class; nothing between rounds
  std::vector<std::uint64_t> of_class_;  // bytes, by class of links; nothing between rounds
  std::vector<std::uint64_t>
      link_classes_;  // sets, by class of nodes and port; empty if one link stands for them
  std::vector<std::uint64_t> ports_of_node_;  // by class
};

}  // namespace isotrope::cost

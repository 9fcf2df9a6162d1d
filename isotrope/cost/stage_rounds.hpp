// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The rounds of one stage in lock step: how many messages and how much its busiest node sends in each, how
// much its busiest link carries, and how many messages one node receives. Of a class of nodes one is looked at.
//
// Cost: O(1) a hop; memory 24 bytes a class and, where rounds combine, a directed link of the classes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/schedule/node_classes.hpp"

#include "isotrope/cost/round_messages.hpp"

namespace isotrope::cost {

class StageRounds {
 public:
  /// Of one round.
  struct Load {
    std::uint64_t messages = 0;  ///< of one node, the most
    std::uint64_t size = 0;      ///< that one node sends, the most
    std::uint64_t carried = 0;   ///< by one link, the most
    std::uint64_t received = 0;  ///< messages by one node, the most
  };

  /// Refers to the stage and the network.
  StageRounds(const network::Network& network, schedule::RoundKind kind, const schedule::Stage& stage)
      : network_(network),
        stage_(stage),
        classes_(network.group(), stage.replication),
        degree_(network.degree()),
        messages_(kind, classes_.count() * degree_),
        of_node_(classes_.count()) {}

  /// Calls visit(load) for every round that has hops, where packets are as large as size_of(packet) says.
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
      const OfNode busiest = most_of_one_node();
      visit(Load{busiest.messages, busiest.size, most, busiest.received});
    }
  }

 private:
  struct OfNode {
    std::uint64_t messages = 0;
    std::uint64_t size = 0;
    std::uint64_t received = 0;
  };

  OfNode& sender(const Transfer& message) { return of_node_[classes_.of(message.from)]; }
  OfNode& receiver(const Transfer& message) {
    return of_node_[classes_.of(network_.neighbour(message.from, message.port))];
  }

  // Of each the most by one node.
  OfNode most_of_one_node() {
    OfNode most;
    for (const Transfer& message : messages_.all()) {
      OfNode& from = sender(message);
      most.messages = std::max(most.messages, ++from.messages);
      most.size = std::max(most.size, from.size += message.bytes);
      most.received = std::max(most.received, ++receiver(message).received);
    }
    for (const Transfer& message : messages_.all()) sender(message) = receiver(message) = {};
    return most;
  }

  const network::Network& network_;
  const schedule::Stage& stage_;
  schedule::NodeClasses classes_;
  std::uint64_t degree_;
  RoundMessages messages_;
  std::vector<OfNode> of_node_;  // by class; nothing between rounds
};

}  // namespace isotrope::cost

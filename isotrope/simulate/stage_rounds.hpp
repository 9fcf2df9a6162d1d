// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The rounds of one stage in lock step: how many messages and how much its busiest node sends in each, and
// how much its busiest link carries. Of a class of nodes one is looked at.
//
// Cost: O(1) a hop; memory 16 bytes a class and, where rounds combine, a directed link of the classes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/schedule/node_classes.hpp"

#include "isotrope/simulate/round_messages.hpp"

namespace isotrope::simulate {

class StageRounds {
 public:
  /// Refers to the stage.
  StageRounds(const network::Network& network, schedule::RoundKind kind, const schedule::Stage& stage)
      : stage_(stage),
        classes_(network.group(), stage.replication),
        degree_(network.degree()),
        messages_(kind, classes_.count() * degree_),
        sent_(classes_.count()) {}

  /// Calls visit(messages, sent, carried) for every round that has hops: the most messages of one node, the
  /// most that one node sends, and the most that one link carries, where packets are as large as
  /// size_of(packet) says.
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
      const Sent sent = most_sent();
      visit(sent.messages, sent.size, most);
    }
  }

 private:
  struct Sent {
    std::uint64_t messages = 0;
    std::uint64_t size = 0;
  };

  // Of either the most by one node.
  Sent most_sent() {
    Sent most;
    for (const Transfer& message : messages_.all()) {
      auto& [messages, size] = sent_[classes_.of(message.from)];
      most.messages = std::max(most.messages, ++messages);
      most.size = std::max(most.size, size += message.bytes);
    }
    for (const Transfer& message : messages_.all()) sent_[classes_.of(message.from)] = {};
    return most;
  }

  const schedule::Stage& stage_;
  schedule::NodeClasses classes_;
  std::uint64_t degree_;
  RoundMessages messages_;
  std::vector<Sent> sent_;  // by class; nothing between rounds
};

}  // namespace isotrope::simulate

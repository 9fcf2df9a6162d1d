// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes an exchange of sums (schedule.hpp), message by message, between any nodes, over an overlay
// (overlay_rounds.hpp).
//
// Every node has a running sum of each part: at first its own contribution, later what it has received. A message is
// the sum of given values or the running sum of its sender; the receiver adds it to its running sum, or takes it as
// the complete sum. At the end the running sum is the result.
//
//     two nodes, two parts    round 0    1 -> 0 part 0, 0 -> 1 part 1    added
//                             round 1    0 -> 1 part 0, 1 -> 0 part 1    complete
//
// Hops are listed for every node, so the permutations need no symmetry. Cost: O(1) per message of a running sum, and
// memory for the messages and 8 bytes per node and part.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/levels/overlay_rounds.hpp"

namespace isotrope::algorithm {

/// What a message is to its receiver.
enum class Receipt {
  added,    ///< a summand of the running sum
  complete  ///< the sum of all contributions
};

class ExchangeWriter {
 public:
  using Node = network::Node;

  /// `network` is that of the machine; it must outlive this.
  ExchangeWriter(const network::Network& network, std::uint32_t parts);

  /// The number of values that the node has received of the part in closed rounds, and its own.
  std::uint32_t values(Node node, std::uint32_t part) const { return count_[at(node, part)]; }
  /// Adds a message of the running sum to the round under construction.
  void send(Node from, Node to, std::uint32_t part, Receipt receipt);
  /// The number of the sum of `values` of a part.
  schedule::PacketId sum_of(std::uint32_t part, const std::vector<schedule::ValueId>& values);
  /// Adds a message of the sum of that number, which the receiver adds.
  void send(Node from, Node to, schedule::PacketId sum);
  void close_round();

  /// The exchange, in aggregated rounds. @pre messages have joined all nodes.
  OverlaidSchedule finish(schedule::PortModel ports) &&;

 private:
  // Consecutive values.
  struct Run {
    schedule::ValueId first = 0;
    std::uint32_t count = 1;

    bool operator==(const Run&) const = default;
  };
  struct Message {
    schedule::PacketId sum;
    Node from;
    Node to;
    Receipt receipt;
  };

  std::size_t at(Node node, std::uint32_t part) const { return std::size_t{part} * network_.order() + node; }
  schedule::PacketId sum_of(std::uint32_t part, Run run);

  const network::Network& network_;
  std::uint32_t parts_;
  std::vector<std::uint32_t> count_;  // values, by part and node
  std::vector<Run> running_;          // by part and node
  std::vector<schedule::Sum> sums_;
  std::map<std::pair<std::uint32_t, std::vector<schedule::ValueId>>, schedule::PacketId> sum_numbers_;
  std::vector<std::pair<Run, schedule::PacketId>>
      last_run_;               // by part: mostly many nodes send the same values
  std::vector<Message> open_;  // messages of the round under construction
  OverlayRounds rounds_;
};

}  // namespace isotrope::algorithm

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The messages with which every node gathers the nodes before it along the translate of one tree of words.
//
// Node v gathers along the tree moved from 0 to v: node v + w sends to v + parent(w) the sum of the contributions from
// below it, but only those of the nodes before v. What is the same over the same link is one message:
//
//     ring:6, words of up to three +1 or two -1    link 3 to 4    {3, 2} for node 4, {3} for node 5
//                                                  link 0 to 5    {0, 1, 2} for node 5, {0, 1} for node 4
//
// Where numbers do not wrap around, trees of all nodes share their messages, one for each port and form of a subtree.
//
// Method: a set of contributors is known by the sum of random marks of its nodes, 64 bits each. Two sets of a link with
// equal sums would give a wrong schedule, which the checker refuses; with a million sets it happens once in 2^24 plans.
//
// Cost: O(N^2), and memory for the messages.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/algorithm/scan/word_tree.hpp"

namespace isotrope::algorithm {

/// The number of a message. Those that it adds up have smaller numbers.
using MessageId = std::uint32_t;

class PrefixMessages {
 public:
  struct Message {
    network::Node from;
    network::Port port;
    bool own;             ///< contains the contribution of `from`
    std::uint32_t ahead;  ///< hops of the longest chain of messages from this one on; 0: nobody needs it
  };

  PrefixMessages(const network::Network& network, const WordTree& tree);

  std::span<const Message> messages() const { return messages_; }
  /// The messages that `id` adds up, all received by its sender.
  std::span<const MessageId> inputs(MessageId id) const {
    return std::span(inputs_).subspan(first_input_[id], first_input_[id + 1] - first_input_[id]);
  }
  /// What `node` adds to its own contribution in the end.
  std::span<const MessageId> result(network::Node node) const { return results_[node]; }

 private:
  void gather(const network::Network& network, const WordTree& tree);
  void look_ahead();

  std::vector<Message> messages_;
  std::vector<std::size_t> first_input_{0};
  std::vector<MessageId> inputs_;
  std::vector<std::vector<MessageId>> results_;
};

}  // namespace isotrope::algorithm

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The messages of a scan, and what each adds up: what a construction gives to those that find rounds for messages
// (message_rounds.hpp, periodic_rounds.hpp) and write them down (written_scan.hpp).
//
// Convention: a message adds up contributions of its sender and messages that came to it earlier, which have smaller numbers.
//
// Memory: O(messages and all that they add up).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::algorithm {

/// The number of a message. Those that it adds up have smaller numbers.
using MessageId = std::uint32_t;

class ScanMessages {
 public:
  struct Message {
    network::Node from;
    network::Port port;
    bool own;                 ///< contains the contribution of `from`
    std::uint32_t part = 0;   ///< of the vector
    std::uint32_t ahead = 0;  ///< hops of the longest chain of messages from this one on; 0: nobody needs it
  };

  /// For `parts` parts of the vectors of `nodes` nodes.
  explicit ScanMessages(network::Node nodes, std::uint32_t parts = 1)
      : nodes_(nodes), parts_(parts), results_(std::size_t{nodes} * parts) {}

  /// Appends a message that adds up `inputs`, all received by its sender.
  MessageId add(Message message, std::span<const MessageId> inputs);
  /// What `node` adds to its own contribution to `part` in the end.
  void set_result(std::uint32_t part, network::Node node, std::span<const MessageId> received) {
    results_[place(part, node)].assign(received.begin(), received.end());
  }
  /// Finds out which messages are needed, and how far ahead their chains reach. To be called once, when all are there.
  void look_ahead();

  std::uint32_t parts() const { return parts_; }
  network::Node nodes() const { return nodes_; }
  std::span<const Message> messages() const { return messages_; }
  std::span<const MessageId> inputs(MessageId id) const {
    return std::span(inputs_).subspan(first_input_[id], first_input_[id + 1] - first_input_[id]);
  }
  std::span<const MessageId> result(std::uint32_t part, network::Node node) const {
    return results_[place(part, node)];
  }

 private:
  std::size_t place(std::uint32_t part, network::Node node) const {
    return std::size_t{part} * nodes_ + node;
  }

  network::Node nodes_;
  std::uint32_t parts_;
  std::vector<Message> messages_;
  std::vector<std::size_t> first_input_{0};
  std::vector<MessageId> inputs_;
  std::vector<std::vector<MessageId>> results_;
};

}  // namespace isotrope::algorithm
